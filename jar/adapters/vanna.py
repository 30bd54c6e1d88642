"""vanna 2: `JarContextEnhancer` tells the model the tables of a message; `FindTables` is a tool to ask for them."""

from __future__ import annotations

import asyncio
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import EXPECTED_ERRORS, KEY, OPTIONS, LazyReranker, Size, Source, check_options
from jar.answers.selection import Selection
from jar.answers.sql_prompt import check_form

with from_extra("vanna"):
    from pydantic import BaseModel, Field
    from vanna.core import LlmContextEnhancer, LlmMessage, Tool, ToolContext, ToolResult, User


class _Tables(LazyReranker):
    """Answers from an index, which is loaded by the first."""

    def __init__(self, index: Source, k: Size = 5, *, sql_context: dict[str, Any] | None = None, **more: Any) -> None:
        super().__init__(index)
        self._sql_context = check_form(sql_context or {})
        self._options = check_options({"k": k, **more}, {*OPTIONS, "k", "subqueries", "probes"})

    async def _answer(self, question: str, **more: Any) -> tuple[Selection, str]:
        """The tables and their SQL, found in a thread, so that the agent's loop goes on."""
        answer = await asyncio.to_thread(lambda: self.reranker.rank(question, **{**self._options, **more}))
        return answer, answer.to_sql_context(**self._sql_context)


class JarContextEnhancer(_Tables, LlmContextEnhancer):
    """Adds to the system prompt the schema of the tables that together answer the user's message, and their joins.

    `inner` speaks first: an agent with this enhancer has no longer vanna's own, which tells its memories. `sql_context`
    are arguments of `Selection.to_sql_context`; `k` and the options are those of `Reranker.rank`.
    """

    def __init__(self, index: Source, k: Size = 5, *, inner: LlmContextEnhancer | None = None, **options: Any) -> None:
        super().__init__(index, k, **options)
        self._inner = inner or LlmContextEnhancer()

    async def enhance_system_prompt(self, system_prompt: str, user_message: str, user: User) -> str:
        """The prompt, then the tables of the message, unless that is empty."""
        prompt: str = await self._inner.enhance_system_prompt(system_prompt, user_message, user)
        if not user_message.strip():
            return prompt
        return f"{prompt}\n\n## Tables for this question\n\n{(await self._answer(user_message))[1]}"

    async def enhance_user_messages(self, messages: list[LlmMessage], user: User) -> list[LlmMessage]:
        """The messages as the inner enhancer has them."""
        return list(await self._inner.enhance_user_messages(messages, user))


class Wanted(BaseModel):
    """What the model asks for."""

    question: str = Field(description="The question that the tables shall answer, in the user's words.")
    k: int | None = Field(default=None, ge=1, description="How many tables; may be left out.")


class FindTables(_Tables, Tool[Wanted]):
    """A tool that tells the schema of the tables that answer a question; made as the enhancer is, whose `k` counts
    unless the model says another."""

    name = "find_tables"
    description = "Find the tables that together answer a question, with their columns and their joins."

    def get_args_schema(self) -> type[Wanted]:
        """The arguments."""
        return Wanted

    async def execute(self, context: ToolContext, args: Wanted) -> ToolResult:
        """The schema as text, tables and joins as metadata; or a failed result that says what is wrong."""
        try:
            answer, text = await self._answer(args.question, **({} if args.k is None else {"k": args.k}))
        except EXPECTED_ERRORS as error:
            return ToolResult(success=False, result_for_llm=str(error), error=str(error))
        details = {"tables": list(answer.tables), "joins": [join.condition for join in answer.joins]}
        return ToolResult(success=True, result_for_llm=text, metadata={KEY: details})
