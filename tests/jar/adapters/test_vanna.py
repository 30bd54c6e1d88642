"""The enhancer and the tool tell vanna's agents the tables of a question, as the re-ranker chooses them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from jar import Index, QueryError, Reranker

pytest.importorskip("vanna", reason='vanna is not installed: pip install "jar-rerank[vanna]"')
from vanna import Agent, User
from vanna.core import LlmContextEnhancer, LlmRequest, LlmResponse, ToolCall, ToolContext
from vanna.core.llm import LlmStreamChunk
from vanna.core.registry import ToolRegistry
from vanna.core.user import RequestContext, UserResolver
from vanna.integrations.local.agent_memory import DemoAgentMemory
from vanna.integrations.mock import MockLlmService

from jar.adapters.vanna import FindTables, JarContextEnhancer

QUESTION = "Which clients have loans?"
USER = User(id="1")


class Anyone(UserResolver):
    """Every request is that of one user."""

    async def resolve_user(self, request_context: RequestContext) -> User:
        """That user."""
        return USER


class Model(MockLlmService):
    """A model that calls the tool once, then says that it is done; it keeps what it was sent."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__()
        self.arguments, self.requests = arguments, list[LlmRequest]()

    async def send_request(self, request: LlmRequest) -> LlmResponse:
        """The next answer."""
        self.requests.append(request)
        if len(self.requests) > 1 or not self.arguments:
            return LlmResponse(content="done")
        return LlmResponse(tool_calls=[ToolCall(id="1", name="find_tables", arguments=self.arguments)])

    async def stream_request(self, request: LlmRequest) -> AsyncIterator[LlmStreamChunk]:
        """The same as one chunk."""
        answer = await self.send_request(request)
        yield LlmStreamChunk(content=answer.content, tool_calls=answer.tool_calls, finish_reason="stop")


class Polite(LlmContextEnhancer):
    """Another enhancer."""

    async def enhance_system_prompt(self, system_prompt: str, user_message: str, user: User) -> str:
        """A word more."""
        return f"{system_prompt} please"

    async def enhance_user_messages(self, messages: list[Any], user: User) -> list[Any]:
        """No messages."""
        return []


def asked(model: Model, tools: ToolRegistry | None = None, **options: Any) -> list[LlmRequest]:
    """What an agent sends to its model when it is asked the question."""

    async def talk() -> None:
        agent = Agent(model, tools or ToolRegistry(), Anyone(), DemoAgentMemory(), **options)
        async for _ in agent.send_message(RequestContext(), QUESTION):
            pass

    asyncio.run(talk())
    return model.requests


def execute(tool: FindTables, **arguments: Any) -> Any:
    """The result of the tool, called as an agent calls it."""
    registry = ToolRegistry()
    registry.register_local_tool(tool, [])
    context = ToolContext(user=USER, conversation_id="1", request_id="1", agent_memory=DemoAgentMemory())
    call = ToolCall(id="1", name="find_tables", arguments=arguments)
    return asyncio.run(registry.execute(call, context))


def test_an_agent_sends_the_tables_of_the_message_to_its_model(lake_index: Index) -> None:
    """They stand in the system prompt, after what vanna writes there."""
    plain = asked(Model())[0].system_prompt
    request = asked(Model(), llm_context_enhancer=JarContextEnhancer(lake_index, 3))[0]
    context = Reranker(lake_index).rank(QUESTION, 3).to_sql_context()
    assert request.system_prompt == f"{plain}\n\n## Tables for this question\n\n{context}"


def test_a_model_calls_the_tool(lake_index: Index) -> None:
    """It is offered with its arguments, and the model is sent the schema of the tables."""
    registry = ToolRegistry()
    registry.register_local_tool(FindTables(lake_index), [])
    first, second = asked(Model(question=QUESTION, k=3), registry)
    assert first.tools is not None
    assert [tool.name for tool in first.tools] == ["find_tables"]
    assert set(first.tools[0].parameters["properties"]) == {"question", "k"}
    answer = Reranker(lake_index).rank(QUESTION, 3)
    assert second.messages[-1].role == "tool"
    assert second.messages[-1].content == answer.to_sql_context()


def test_the_tool_tells_tables_and_joins_as_metadata(lake_index: Index) -> None:
    """What vanna's hooks and filters read."""
    result = execute(FindTables(lake_index, exclude=["bank.card"]), question=QUESTION, k=4)
    answer = Reranker(lake_index).rank(QUESTION, 4, exclude=["bank.card"])
    assert result.success
    told = {"tables": list(answer.tables), "joins": [join.condition for join in answer.joins]}
    assert result.metadata["jar"] == told


def test_the_number_of_tables_of_the_tool_counts_unless_the_model_says_another(lake_index: Index) -> None:
    """Without `k` in the call, that of the tool."""
    tool = FindTables(lake_index, k=2)
    assert len(execute(tool, question=QUESTION).metadata["jar"]["tables"]) == 2
    assert len(execute(tool, question=QUESTION, k=3).metadata["jar"]["tables"]) == 3


def test_what_is_wrong_is_told_to_the_model(lake_index: Index, tmp_path: Path) -> None:
    """An empty question, a number that is none, a file that is not there: failed results, each with its reason."""
    empty = execute(FindTables(lake_index), question=" ")
    assert not empty.success
    assert "the question is empty" in empty.result_for_llm
    assert "greater than or equal to 1" in execute(FindTables(lake_index), question=QUESTION, k=0).result_for_llm
    missing = execute(FindTables(tmp_path / "later.jar"), question=QUESTION)
    assert not missing.success
    assert "later.jar" in missing.error


def test_another_enhancer_speaks_first(lake_index: Index) -> None:
    """Its prompt and its messages count."""
    enhancer = JarContextEnhancer(lake_index, inner=Polite())
    prompt = asyncio.run(enhancer.enhance_system_prompt("Write SQL,", QUESTION, USER))
    assert prompt.startswith("Write SQL, please\n\n## Tables")
    assert asyncio.run(enhancer.enhance_user_messages([None], USER)) == []


def test_an_empty_message_has_no_tables(lake_index: Index) -> None:
    """The prompt stays as it was."""
    assert asyncio.run(JarContextEnhancer(lake_index).enhance_system_prompt("Write SQL.", " ", USER)) == "Write SQL."


def test_options_are_checked_when_it_is_made() -> None:
    """Those of the prompt, too."""
    for options, said in (
        ({"sql_context": {"dialect": "pg"}}, "no SQL dialect 'pg'"),
        ({"databse": "bank"}, "no option 'databse'"),
        ({"k": 0}, "a whole number from 1"),
    ):
        with pytest.raises(QueryError, match=said):
            FindTables("none.jar", **options)
