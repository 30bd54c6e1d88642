"""Each class of losses occurs on a corpus where it can be worked out by hand, and the solver is held to its word."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from error_corpus import ask, embed, table

from benchmarks.losses.classes import CLASSES, WON, Comparison, classify
from benchmarks.losses.losses import ErrorAnalysis, Loss, Size, SolverLossError, worst
from benchmarks.losses.recording import RecordingReranker
from formulations import Instance, JarObjective, Solution, Terms, solve
from jar import Index
from joinability import Catalog

SHOP = ("shop.orders", "shop.customers")
MILL = ("mill.sacks", "mill.sorts")
JOINED = "SELECT 1 FROM orders JOIN customers ON b2 = c3"
MILLED = "SELECT 1 FROM sacks JOIN sorts ON j10 = k11"
APART = "SELECT 1 FROM sacks WHERE (SELECT count(*) FROM sorts) > 5"


@dataclass(frozen=True)
class Example:
    """A question on the corpus, and the class that it belongs to."""

    name: str
    text: str
    sql: str
    gold: tuple[str, ...]
    objective: JarObjective = field(default_factory=lambda: JarObjective(fine=5, coverage=8, join=1))
    size: Size = None
    candidates: int = 8
    subqueries: tuple[str, ...] = ()
    repaired: bool | None = None


EXAMPLES = (
    Example("exact", "orders customers", JOINED, SHOP),
    Example("size, K above", "orders customers", JOINED, SHOP, size=3),
    Example("size, K below", "orders customers", JOINED, SHOP, size=1),
    # Two candidates: members and visits. With the gold tables among them, these are still less relevant.
    Example("candidates", "members visits members visits orders customers", JOINED, SHOP, candidates=2, repaired=False),
    # Customers is no candidate; the join of orders with it is worth more than the little that members has before it.
    Example(
        "candidates",
        "orders orders orders members members customers",
        JOINED,
        SHOP,
        JarObjective(join=20),
        candidates=2,
        repaired=True,
    ),
    # The gold tables have twice the relevance, the others a join: 6.3 against 10.
    Example(
        "join edge missing",
        "sacks sacks sorts sorts members visits",
        MILLED,
        MILL,
        JarObjective(join=10),
        repaired=True,
    ),
    Example(
        "join edge missing",
        "sacks sorts members members visits visits",
        MILLED,
        MILL,
        JarObjective(join=5),
        repaired=False,
    ),
    Example("connectedness", "sacks sorts members visits", APART, MILL, JarObjective(connect="require")),
    Example("trade-off, joins too light", "sacks sacks sorts sorts orders customers", JOINED, SHOP),
    Example("trade-off, joins too heavy", "sacks sacks sorts sorts members visits", APART, MILL, JarObjective(join=10)),
    Example("relevance, coarse", "members members visits visits orders customers", JOINED, SHOP),
    Example("relevance, fine", "orders customers members visits", JOINED, SHOP, subqueries=("visits",)),
    # The opposite of both gold tables: a match would cost 5 * 0.71 and earn 3, so that they leave it without one.
    Example(
        "relevance, coverage",
        "orders customers members visits",
        JOINED,
        SHOP,
        JarObjective(fine=5, coverage=3),
        subqueries=("against",),
    ),
    Example("join scores", "sacks sorts members visits", APART, MILL),
)


def losses_of(example: Example, catalog: Catalog, index: Index, **options: Any) -> Loss:
    """The comparison of an example's only question; tables are ranked by themselves, for databases mend some losses."""
    dataset = ask(catalog, example.text, example.sql, *example.gold, subqueries=example.subqueries)
    settings = {"embedder": embed, "candidates": example.candidates, "database": 0.0} | options
    reranker = RecordingReranker(index, example.objective, **settings)
    (loss,) = ErrorAnalysis(dataset, reranker, given=True).losses(example.size)
    return loss


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_each_class_occurs(example: Example, corpus: Catalog, index: Index) -> None:
    """A question of each class is found to be of it, and mending the lost stage wins it where that must be so."""
    loss = losses_of(example, corpus, index)
    assert loss.name == example.name
    assert loss.lost == (example.name not in WON)
    assert loss.repaired is example.repaired


def test_of_two_equal_sets_one_is_the_answer_and_the_other_a_tie(corpus: Catalog, index: Index) -> None:
    """Tables that nothing tells apart: whichever is chosen, the other one is lost by a tie."""
    names = [
        losses_of(Example("", "twins", "SELECT 1 FROM twins", (f"{database}.twins",)), corpus, index).name
        for database in ("east", "west")
    ]
    assert sorted(names) == ["exact", "tie"]


def test_every_class_has_an_example() -> None:
    """The examples and the tie above are all classes that there are."""
    assert {example.name for example in EXAMPLES} | {"tie"} == {row.name for row in CLASSES}


def test_a_comparison_is_of_one_class_only(corpus: Catalog, index: Index) -> None:
    """The values of both sets add up, and the chosen set is worth at least as much as its rival."""
    for example in EXAMPLES:
        loss = losses_of(example, corpus, index)
        assert sum(loss.comparison.chosen) == pytest.approx(loss.record.selection.value)
        if loss.rival is not None:
            assert sum(loss.comparison.rival or ()) == pytest.approx(loss.rival.value)
            assert loss.comparison.deficit >= -1e-9


def test_missing_joins_are_named(corpus: Catalog, index: Index) -> None:
    """The join of the gold query that has no score is told by its columns; joins that have one are not."""
    missing = losses_of(next(e for e in EXAMPLES if e.name == "join edge missing"), corpus, index).missing
    assert missing == (("mill.sacks.j10", "mill.sorts.k11"),)
    assert losses_of(EXAMPLES[0], corpus, index).missing == ()


def test_ranks_are_those_of_the_retriever_over_the_corpus(corpus: Catalog, index: Index) -> None:
    """A gold table that is no candidate has its rank all the same."""
    loss = losses_of(next(e for e in EXAMPLES if e.name == "candidates"), corpus, index)
    assert set(loss.ranks) == {*SHOP, "club.members", "club.visits"}
    assert {loss.ranks["club.members"], loss.ranks["club.visits"]} == {1, 2}
    assert {loss.ranks["shop.orders"], loss.ranks["shop.customers"]} == {3, 4}


def test_the_order_of_tables_is_that_of_the_first_stage() -> None:
    """With all that its relevance knows: stop words, words of names, editions that a question does not ask for."""
    names = ("orders_2015", "orders_2018", "visits", "sacks", "orders")
    catalog = Catalog([table("shop", name, "id", "amount", f"of_{name[:6]}") for name in names])
    index = Index.build(catalog, embedder=embed, progress=False)
    question = "which orders of 2018 and which visits were there"
    for weight in (0.0, 1.0):
        reranker = RecordingReranker(index, candidates=len(names), embedder=embed, edition=weight)
        (record,) = reranker.records([question], 1)
        order = reranker.table_order(question)
        assert order == list(record.instance.ids)
        assert (order[-1] == "shop.orders_2015") == bool(weight)


class CarelessReranker(RecordingReranker):
    """Solves without the table that matters most."""

    def _solve(self, instance: Instance, objective: JarObjective, time_limit: float | None) -> Solution:
        best = super()._solve(instance, objective, time_limit)
        part = instance.replace(exclude=best.items[:1])
        self._solved[-1] = (instance, objective, solve(part, objective))
        return self._solved[-1][2]


def test_a_solver_that_leaves_the_better_set_ends_the_analysis(corpus: Catalog, index: Index) -> None:
    """No loss is put down to the solver: it is an error that names the question and both sets."""
    dataset = ask(corpus, "orders customers", JOINED, *SHOP)
    careless = ErrorAnalysis(dataset, CarelessReranker(index, embedder=embed))
    with pytest.raises(SolverLossError, match=r"question 7.*shop\.orders.*left the better set"):
        careless.losses(None)


def test_the_worst_questions_come_first(corpus: Catalog, index: Index) -> None:
    """Who misses both gold tables is worse than who misses one; questions that were won are left out."""
    missed_one = Example("", "orders orders members", JOINED, SHOP, JarObjective(join=0))
    examples = [EXAMPLES[0], missed_one, next(e for e in EXAMPLES if e.name == "relevance, coarse")]
    losses = [losses_of(example, corpus, index) for example in examples]
    assert [loss.comparison.found for loss in worst(losses, 10)] == [0, 1]
    assert [loss.comparison.found for loss in worst(losses, 1)] == [0]


@pytest.mark.parametrize(
    ("relevance", "join", "name"),
    [
        ((-2.0, 1.0, 0.0), -0.5, "relevance, coarse"),
        ((-1.0, 0.0, 0.0), -1.5, "join scores"),
        ((-1.0, -2.0, 0.0), 0.5, "trade-off, joins too light"),
        ((1.0, 2.0, 0.0), -4.0, "trade-off, joins too heavy"),
        ((0.0, 0.0, 0.0), -4.0, "join scores"),
        ((0.0, -1.0, -8.0), 0.0, "relevance, coverage"),
    ],
)
def test_the_larger_deficit_names_the_class(relevance: tuple[float, float, float], join: float, name: str) -> None:
    """Where both parts are worse the larger one counts; where they disagree the weights decide."""
    rival = Terms(*relevance, join)
    assert classify(Comparison(2, 2, 1, 2, Terms(0, 0, 0, 0), rival, connected=True, missing=0)) == name
