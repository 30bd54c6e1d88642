"""JAR by this package: the rows of the paper, the package as it comes, and tables by way of CRUSH's columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from benchmarks.systems.first_stage import RETRIEVERS
from benchmarks.systems.late_interaction import LATE, late_relevance
from benchmarks.systems.rows import Answers, Setting, Switch, given_subqueries
from formulations import JarObjective
from formulations.objectives.jar import Connect
from jar import Reranker
from jar.tables.objective import DATABASE, DEFAULT_OBJECTIVE, EDITION, LEXICAL, NAMES, TWIN, VALUE, VARIANT

AnyReranker = TypeVar("AnyReranker", bound=Reranker)


@dataclass(frozen=True)
class Variant:
    """A way to use `Reranker`; a setting may say otherwise of join score, connectedness, shared words and databases.

    With `connect` it has the paper's weights for the data set and this demand on connectedness, without it the own
    objective of the package. `words` and `databases` say whether shared words, and the best table of its database,
    count for the relevance of a table, as in the package, or the embedding alone; `values` whether those that the
    question names do; `pool` whether candidates are as many as in the package, unless the setting says how many;
    `expand` whether tables that join those of another first stage are candidates, too.
    """

    score: str
    connect: Connect | None = None
    trust_declared: bool | None = None
    words: Switch = "off"
    databases: Switch = "off"
    values: Switch = "off"
    pool: Switch = "off"
    expand: Switch = "off"

    def objective(self, setting: Setting) -> JarObjective:
        """What a set of tables is worth."""
        weights = JarObjective(**asdict(setting.dataset.weights)) if self.connect else DEFAULT_OBJECTIVE
        return replace(weights, connect=setting.connect or self.connect or weights.connect)

    def reranker(self, setting: Setting, kind: Callable[..., AnyReranker]) -> AnyReranker:
        """The re-ranker in a setting: `Reranker`, or a class of its own kind."""
        grows = (setting.pool or self.pool) == "on"
        return kind(
            setting.index,
            self.objective(setting),
            setting.solver,
            candidates=None if grows and setting.candidates == Setting.candidates else setting.candidates,
            embedder=setting.embedder,
            score=setting.score or self.score,
            trust_declared=self.trust_declared,
            lexical=LEXICAL if (setting.words or self.words) == "on" else 0.0,
            names=NAMES if (setting.words or self.words) == "on" else 0.0,
            database=DATABASE if (setting.databases or self.databases) == "on" else 0.0,
            edition=EDITION if (setting.words or self.words) == "on" else 0.0,
            variant=VARIANT if (setting.words or self.words) == "on" else 0.0,
            twin=TWIN if (setting.words or self.words) == "on" else 0.0,
            value=VALUE if (setting.values or self.values) == "on" else 0.0,
            expand=(setting.expand or self.expand) == "on",
            relevance=late_relevance(setting) if setting.relevance == LATE else setting.relevance,
        )

    def answer(self, setting: Setting, sizes: Sequence[int]) -> Answers:
        """The answers of the re-ranker; those with the paper's weights say which these are."""
        answers = _rank(self.reranker(setting, Reranker), setting, sizes)
        return replace(answers, details={"weights": asdict(setting.dataset.weights)}) if self.connect else answers


VARIANTS = {
    "jar-d": Variant("paper", "ignore", trust_declared=False),
    "jar-f": Variant("paper", "require", trust_declared=False),
    "jar-g": Variant("paper", "require", trust_declared=True),
    "jar": Variant("default", words="on", databases="on", values="on", pool="on", expand="on"),
}
"""By the name of the system."""


def _rank(reranker: Reranker, setting: Setting, sizes: Sequence[int]) -> Answers:
    subqueries = given_subqueries(setting)
    texts = [question.text for question in setting.dataset.questions]
    candidates = None
    if setting.retriever is not None:
        proposals = RETRIEVERS[setting.retriever](setting, max(setting.candidates, *sizes))
        candidates = [proposed or None for proposed in proposals]
    return Answers.of_selections(reranker.rank_sizes(texts, sizes, candidates=candidates, subqueries=subqueries))


def tables_of_columns(objective: str) -> Callable[[Setting, Sequence[int]], Answers]:
    """The tables of `Reranker` with an objective that compares columns with probes.

    Probes, and the sub-queries of "jar+crush", are parts of the question, or those of the data set where its
    decomposition is "given": "concept:attribute" is the probe "concept.attribute".
    """

    def answer(setting: Setting, sizes: Sequence[int]) -> Answers:
        texts = [question.text for question in setting.dataset.questions]
        subqueries = given_subqueries(setting)
        probes = None if subqueries is None else [[part.replace(":", ".") for part in parts] for parts in subqueries]
        score = setting.score or "default"
        options: dict[str, Any] = {"candidates": setting.candidates, "embedder": setting.embedder, "score": score}
        reranker = Reranker(setting.index, objective, setting.solver, **options)
        parts = subqueries if objective == "jar+crush" else None
        return Answers.of_selections(reranker.rank_sizes(texts, sizes, subqueries=parts, probes=probes))

    return answer
