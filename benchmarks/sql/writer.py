"""The model that writes SQL: what it is asked, what is read of its answer, and the answers that are kept."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.data.refusal import RefusalError
from jar.imagined.markup import without_thoughts
from jar.language import OpenAiModel
from jar.language.cache import answer_key
from jar.language.credentials import Secret
from jar.language.exchange import Exchange, Failure
from jar.language.model import Message
from jar.language.openai_model import LIMIT

TASK = (
    "You write one SQLite query that answers a question over the tables that you are given. Not every table is needed. "
    "Write tables and columns as they are named there. Return only the columns that the question asks for. "
    "Answer with the query alone."
)
FENCED = re.compile(r"```(?:\w+\s)?(.*?)(?:```|\Z)", re.DOTALL)


class NoAnswerError(RefusalError, ConnectionError):
    """The server of the model gave no answer."""


@dataclass(frozen=True)
class WrittenSql:
    """An answer of the model.

    Attributes
    ----------
    text : str
        As it came; empty where it could not be used, which `failure` explains.
    prompt_tokens, completion_tokens : int
        As the server counted them.
    seconds : float
        From the request to the answer.
    """

    text: str
    failure: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    @property
    def sql(self) -> str:
        """The query of the answer, without fences, words around it and what follows its first statement."""
        text = without_thoughts(self.text)
        fenced = FENCED.search(text)
        text = fenced[1] if fenced else text
        start = re.search(r"\b(SELECT|WITH)\b", text, re.IGNORECASE)
        return text[start.start() if start else 0 :].partition(";")[0].strip()


class SqlWriter:
    """A model behind an OpenAI-compatible server, with its answers in a file.

    An answer is kept under the digest of all that it depends on (the model's name, the parameters, the messages), so
    that equal prompts cost one request, whichever system they are of and in whichever run. The address of the server
    is none of it.

    Parameters
    ----------
    model : OpenAiModel
        Who is asked; its own cache is not used, as it keeps no numbers of tokens.
    path : Path
        JSON lines, one for each answer, written as answers come.
    """

    def __init__(self, model: OpenAiModel, path: Path) -> None:
        self.model, self.path = model, path
        key = Secret(os.environ.get("OPENAI_API_KEY", ""))
        self._exchange = Exchange(model.base_url, key, LIMIT)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._kept = _read(text)
        self._is_cut = bool(text) and not text.endswith("\n")  # a run was stopped while it wrote
        self.asked = 0

    def write(self, context: str, question: str) -> WrittenSql:
        """The answer to a question over a context, from the file or the server.

        Raises
        ------
        NoAnswerError
            When the server gives none. An answer that cannot be used, such as one that was cut off, is an answer.
        """
        messages = prompt(context, question)
        key = answer_key((self.model.name,), self.model.parameters, messages)
        if key not in self._kept:
            self._kept[key] = self._ask(messages)
            self._keep(key, self._kept[key])
        return self._kept[key]

    def _ask(self, messages: Sequence[Message]) -> WrittenSql:
        model, started = self.model, time.perf_counter()
        outcome, _ = self._exchange.ask(
            model.name, messages, model.parameters,
            attempts=model.attempts, timeout=model.timeout, deadline=model.deadline,
        )  # fmt: skip
        seconds = time.perf_counter() - started
        self.asked += 1
        if not isinstance(outcome, Failure):
            return WrittenSql(outcome.text, "", outcome.prompt_tokens, outcome.completion_tokens, seconds)
        if not outcome.answered:
            raise NoAnswerError(
                f"{model.base_url} gave no answer: {outcome.reason}. What was answered before is kept: "
                f"when the server runs, the same command goes on from there"
            )
        return WrittenSql("", outcome.reason, seconds=seconds)

    def _keep(self, key: str, answer: WrittenSql) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" * self._is_cut + json.dumps({"key": key, **asdict(answer)}) + "\n")
        self._is_cut = False


def prompt(context: str, question: str) -> list[Message]:
    """What the model is sent."""
    return [{"role": "system", "content": TASK}, {"role": "user", "content": f"{context}\nQuestion: {question}"}]


def _read(text: str) -> dict[str, WrittenSql]:
    """The answers of a file; a line that an interrupted run left half is passed over."""
    kept: dict[str, WrittenSql] = {}
    for line in text.split("\n"):
        try:
            row: Mapping[str, Any] = json.loads(line)
            kept[row["key"]] = WrittenSql(**{name: value for name, value in row.items() if name != "key"})
        except (ValueError, TypeError, KeyError):
            continue
    return kept
