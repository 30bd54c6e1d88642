"""A prompt keeps to its budget; what a join, a key or the question needs goes last, or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from jar import Catalog, Index, QueryError, Reranker
from jar.answers.join import Join
from jar.answers.sql_context import SqlContext
from jar.answers.token_budget import Worth, estimated_tokens, parts_to_drop, token_counter, within, without
from joinability import Column, ForeignKey, Table
from tests.jar.conftest import toy_embedder

COUNTERS: dict[str, Callable[[str], int]] = {
    "signs": len,
    "words": lambda text: len(text.split()),
    "lines": lambda text: text.count("\n"),
    "estimate": estimated_tokens,
}
Place = tuple[str, str]


def columns_in(text: str) -> set[Place]:
    """The columns that a text declares, read by sqlglot."""
    found = set()
    for tree in sqlglot.parse(text, read="duckdb"):
        for create in tree.find_all(exp.Create) if tree is not None else ():
            table = create.find(exp.Table).name
            found |= {(f"db.{table}", column.name) for column in create.find_all(exp.ColumnDef)}
    return found


@st.composite
def answers(draw: st.DrawFn) -> tuple[SqlContext, Worth]:
    """A chain of up to three tables with keys, joins, descriptions and remarks, and what their columns are worth."""
    tables, joins, places = [], [], []
    count = draw(st.integers(1, 3))
    for number in range(count):
        names = [f"c{position}" for position in range(draw(st.integers(1, 4)))]
        columns = tuple(Column(name, "INTEGER", draw(st.sampled_from([None, "what it is", "x"]))) for name in names)
        key = (names[0],) if draw(st.booleans()) else ()
        foreign = ()
        if number and draw(st.booleans()):
            foreign = (ForeignKey((names[-1],), tables[-1].id, (tables[-1].columns[0].name,)),)
        table = Table("db", f"t{number}", columns, key, foreign, draw(st.sampled_from([None, "some rows"])))
        if number and draw(st.booleans()):
            ends = f"db.t{number - 1}.c0", f"{table.id}.{names[-1]}"
            joins.append(Join(*ends, 0.5, {}, f"db.t{number - 1}", table.id))
        tables.append(table)
        places += [(table.id, name) for name in names]
    used = set(draw(st.lists(st.sampled_from(places), max_size=3)))
    relevance = {place: draw(st.sampled_from([0.0, 0.1, 0.2, 0.5])) for place in places}
    remarks = dict.fromkeys(draw(st.lists(st.sampled_from(places), max_size=2, unique=True)), "e.g. 1, 2")
    return SqlContext(tuple(tables), tuple(joins), remarks=remarks), Worth(used, relevance)


def keys_of(context: SqlContext) -> set[Place]:
    """Columns that have to stay, told from the tables and joins alone."""
    keys = {(table.id, name) for table in context.schemas for name in table.primary_key}
    for table in context.schemas:
        for key in table.foreign_keys:
            keys |= {(table.id, key.columns[0]), (key.target, key.target_columns[0])}
    for join in context.joins:
        keys |= {(join.left_table, join.left_column), (join.right_table, join.right_column)}
    return keys


def by_worth(context: SqlContext, worth: Worth, places: Collection[Place]) -> list[Place]:
    """Columns from the most worthy one on: those that are used, then by relevance, then in the order of the text."""
    order = [(table.id, column.name) for table in context.schemas for column in table.columns]
    return sorted(places, key=lambda place: (place not in worth.used, -worth.relevance[place], order.index(place)))


def must_stay(context: SqlContext, worth: Worth) -> set[Place]:
    """The keys, and the best column of each table that has none of them."""
    kept = keys_of(context)
    for table in context.schemas:
        if not any(owner == table.id for owner, _ in kept):
            kept.add(by_worth(context, worth, [(table.id, column.name) for column in table.columns])[0])
    return kept


@settings(max_examples=200, deadline=None)
@given(answer=answers(), counter=st.sampled_from(sorted(COUNTERS)), share=st.floats(0, 1.1))
def test_by_brute_force_the_most_worthy_columns_stay(
    answer: tuple[SqlContext, Worth], counter: str, share: float
) -> None:
    """Of all first parts of the columns by worth, each beside the keys, the longest one that fits is what is kept."""
    context, worth = answer
    bare = [
        Table(table.database, table.name, [Column(c.name, c.type) for c in table.columns], table.primary_key,
              table.foreign_keys)
        for table in context.schemas
    ]  # fmt: skip
    context = SqlContext(tuple(bare), context.joins)
    count = COUNTERS[counter]
    budget = max(1, int(share * count(context.text())))
    keys = must_stay(context, worth)
    everything = {(table.id, column.name) for table in bare for column in table.columns}
    free = by_worth(context, worth, everything - keys)
    fitting = []
    for size in range(len(free) + 1):
        chosen = keys | set(free[:size])
        gone = len(everything) - len(chosen)
        text = context.with_columns(
            {table.id: [name for owner, name in chosen if owner == table.id] for table in bare}
        ).text()
        note = f"-- {gone} column{'s' * (gone != 1)} left out\n\n" if gone else ""
        if count(note + text) <= budget:
            fitting.append((chosen, note + text))
    found = within(context, worth, lambda part: count(part.text()) <= budget, budget)
    if fitting:
        assert columns_in(found.text()) == fitting[-1][0]
        assert found.text() == fitting[-1][1]
    else:
        assert columns_in(found.text()) == keys
        assert found.text().startswith(f"-- longer than the {budget} tokens asked for")


@settings(max_examples=200, deadline=None)
@given(answer=answers(), counter=st.sampled_from(sorted(COUNTERS)), share=st.floats(0, 1.1))
def test_no_more_is_left_out_than_has_to_be(answer: tuple[SqlContext, Worth], counter: str, share: float) -> None:
    """With remarks and descriptions, a search from the whole text on finds the same: the first text that fits.

    That is promised where no text is longer than the one before it (a note on what is left out may have more words than
    the column); elsewhere the answer fits, or says that it does not. The keys and the joins are in all of them.
    """
    context, worth = answer
    count = COUNTERS[counter]
    budget = max(1, int(share * count(context.text())))
    found = within(context, worth, lambda part: count(part.text()) <= budget, budget)
    order = parts_to_drop(context, worth)
    texts = [without(context, order[:size]).text() for size in range(len(order) + 1)]
    lengths = [count(text) for text in texts]
    first = next((text for text, length in zip(texts, lengths, strict=True) if length <= budget), None)
    shrinks = lengths == sorted(lengths, reverse=True)
    if found.notes and found.notes[0].startswith("longer than"):
        kept = "all tables and keys, and the joins that connect them, are kept"
        assert found.notes[0] == f"longer than the {budget} tokens asked for: {kept}"
        assert first is None or not shrinks
    else:
        assert count(found.text()) <= budget
        assert found.text() == first or not shrinks
    assert must_stay(context, worth) <= columns_in(found.text())
    assert found.joins == context.joins
    assert [table.primary_key for table in found.schemas] == [table.primary_key for table in context.schemas]
    assert [table.foreign_keys for table in found.schemas] == [table.foreign_keys for table in context.schemas]


def test_what_is_left_out_has_an_order() -> None:
    """Idle columns by relevance, then remarks, descriptions of columns and of tables, then columns that are used."""
    columns = (Column("id", "INT", "the key"), Column("a", "INT", "idle"), Column("b", "INT"))
    table = Table("db", "t", (*columns, Column("c", "INT", "used")), ("id",), description="rows")
    worth = Worth({("db.t", "c")}, {("db.t", "a"): 0.5, ("db.t", "b"): 0.1, ("db.t", "c"): 0.2, ("db.t", "id"): 0.3})
    order = parts_to_drop(SqlContext((table,), remarks={("db.t", "c"): "e.g. 1", ("db.t", "id"): "e.g. 2"}), worth)
    assert [(part.kind, part.column) for part in order] == [
        ("column", "b"), ("column", "a"), ("remark", "c"), ("remark", "id"),
        ("description", "c"), ("description", "id"), ("description", "a"), ("description", ""), ("column", "c"),
    ]  # fmt: skip


def test_a_column_with_a_named_value_stays_longest() -> None:
    """It goes after a column that is nearer to the question but only answers a part of it."""
    table = Table("db", "t", (Column("id"), Column("weight"), Column("name")), ("id",))
    weight, name = ("db.t", "weight"), ("db.t", "name")
    relevance = {weight: 0.5, name: 0.1}
    assert [part.column for part in parts_to_drop(SqlContext((table,)), Worth({weight, name}, relevance))] == [
        "name",
        "weight",
    ]
    order = parts_to_drop(SqlContext((table,)), Worth({weight, name}, relevance, {name}))
    assert [part.column for part in order] == ["weight", "name"]


def test_an_answer_shrinks_step_by_step(lake_index: Index) -> None:
    """The smaller the budget, the fewer columns; joins and their columns stay, and no text is silently too long."""
    answer = Reranker(lake_index).rank("Which clients own credit cards and have loans?", k=4)
    used = {(f"db.{match.table.split('.')[1]}", match.column_name) for match in answer.coverage}
    joined = {(f"db.{join.left_table.split('.')[1]}", join.left_column) for join in answer.joins}
    joined |= {(f"db.{join.right_table.split('.')[1]}", join.right_column) for join in answer.joins}
    whole = answer.to_sql_context()
    every = columns_in(whole)
    before = every
    for budget in range(estimated_tokens(whole), 20, -5):
        text = answer.to_sql_context(max_tokens=budget)
        kept = columns_in(text)
        assert joined <= kept <= before
        assert kept >= used or len(kept - used - joined) <= len(answer.tables)
        assert estimated_tokens(text) <= budget or text.startswith("-- longer than")
        assert text.split("\n-- joins\n")[1] == whole.split("\n-- joins\n")[1]
        noted = re.search(r"-- (\d+) columns? left out", text)
        assert (int(noted.group(1)) if noted else 0) == len(every - kept)
        before = kept
    assert len(before) < len(every)


@pytest.mark.parametrize(
    "tokenizer",
    [
        len,
        list,
        lambda text: {"input_ids": list(text), "attention_mask": list(text)},
    ],
)
def test_a_tokenizer_gives_a_number_or_tokens(tokenizer: Callable[[str], Any]) -> None:
    """A length, a list and what tokenizers of transformers give are counted alike."""
    assert token_counter(tokenizer)("CREATE") == 6


@pytest.mark.parametrize("tokenizer", [lambda text: "six", lambda text: None, lambda text: True, 3, "cl100k_base"])
def test_what_is_no_tokenizer_is_refused(lake_index: Index, tokenizer: Any) -> None:
    """Text, nothing, a truth value, and names of tokenizers are no counts: the error says what is wanted."""
    answer = Reranker(lake_index).rank("loans", k=1)
    with pytest.raises(QueryError, match="tokenizer"):
        answer.to_sql_context(max_tokens=100, tokenizer=tokenizer)


@pytest.mark.parametrize("max_tokens", [0, -1, 1.5, True, "100"])
def test_a_budget_is_a_whole_number(lake_index: Index, max_tokens: Any) -> None:
    """Any other budget is refused."""
    answer = Reranker(lake_index).rank("loans", k=1)
    with pytest.raises(QueryError, match="max_tokens is"):
        answer.to_sql_context(max_tokens=max_tokens)


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("CREATE", 2), ("a_b", 3), ("1234", 2), ("x\ny", 3), ("名前", 4), ("  ", 0)]
)
def test_the_estimate_is_the_documented_one(text: str, tokens: int) -> None:
    """Letters in fives, digits in threes, every other sign and line break one, signs beyond ASCII two."""
    assert estimated_tokens(text) == tokens


def test_columns_that_were_chosen_last_go_first(lake_index: Index) -> None:
    """Of chosen columns, those of the greatest budget go first, and the keys of the joins stay."""
    found = Reranker(lake_index, objective="crush").columns("Which female clients have loans?", 10)
    whole = columns_in(found.to_sql_context())
    text = found.to_sql_context(max_tokens=estimated_tokens(found.to_sql_context()) - 10)
    gone = whole - columns_in(text)
    joined = {name for join in found.joins for name in (join.left_column, join.right_column)}
    covered = {(match.table, match.column_name) for match in found.coverage}
    free = [
        column for column in found.columns if column.name not in joined and (column.table, column.name) not in covered
    ]
    assert gone
    assert {name for _, name in gone} <= {column.name for column in free[-len(gone) :]}


def test_without_a_budget_the_text_is_as_before(lake_index: Index) -> None:
    """The plain text has no note and no remark, and a budget that it fits changes nothing."""
    answer = Reranker(lake_index).rank("Which clients own credit cards and have loans?", k=4)
    text = answer.to_sql_context()
    assert answer.to_sql_context(max_tokens=10_000) == text
    assert "left out" not in text
    assert text.startswith("CREATE TABLE ")


def test_an_answer_that_no_joins_connect_says_so() -> None:
    """A line after the joins names the parts, and what may join them by its name is left out last."""
    names = {
        "shop.orders": "order_no cust_no placed note remark_of_the_clerk",
        "shop.items": "order_no article",
        "crm.people": "no town",
    }
    tables = [
        Table(*id_.split("."), tuple(Column(name, "TEXT") for name in told.split())) for id_, told in names.items()
    ]
    index = Index.build(Catalog(tables), embedder=toy_embedder, progress=False)
    answer = Reranker(index).rank("orders placed by people of a town", k=3)
    parts = {frozenset(part) for part in answer.components}
    assert parts == {frozenset(["shop.orders", "shop.items"]), frozenset(["crm.people"])}
    text = answer.to_sql_context()
    last = text.splitlines()[-1]
    assert last.startswith("-- no join is known between ")
    assert all(", ".join(part) in last for part in answer.components)
    short = answer.to_sql_context(max_tokens=estimated_tokens(text) - 5)
    assert {name for _, name in columns_in(text) - columns_in(short)} == {"remark_of_the_clerk", "article"}
