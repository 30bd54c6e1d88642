"""Twins: tables that several schemas of a database have, one of which an answer holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar import Catalog, Index, Reranker
from jar.lookalikes.twins import COPIES, Twins
from joinability.schema import Column, Table

COLUMNS = ("order_id", "client", "amount", "day", "state")


def table(name: str, columns: Sequence[str] = COLUMNS) -> Table:
    """A table of the database shop."""
    return Table("shop", name, [Column(column, "TEXT") for column in columns])


def others(
    names: Sequence[str], question: str = "", relevance: Sequence[float] = (), **limits: Sequence[int]
) -> set[str]:
    """The names of the tables that stand behind a twin."""
    scores = np.array([*relevance, *[0.0] * len(names)][: len(names)])
    places = Twins.of([table(name) for name in names]).behind(question.split(), scores, **limits)
    return {names[place] for place in places}


def test_of_two_schemas_with_the_same_tables_one_comes_first() -> None:
    """The first, or one whose most relevant table leads; and a copy of some of them is behind both."""
    names = ["a.orders", "a.clients", "b.orders", "b.clients"]
    for relevance, first in (([0, 0, 0, 0], "a"), ([0, 0, 1, 0], "b"), ([1, 0, 0, 1], "a")):
        assert others(names, relevance=relevance) == {name for name in names if name[0] != first}
    assert "old.orders" in others([*names, "old.orders"])


def test_the_first_schema_is_one_for_all_tables_in_whatever_order_they_stand() -> None:
    """It is that of the first table."""
    assert others(["a.orders", "b.clients", "a.clients", "b.orders"]) == {"b.orders", "b.clients"}


def test_nothing_follows_from_schemas_that_share_a_table() -> None:
    """Both have addresses, and the rest is their own: neither comes first where no table leads."""
    names = ["hr.address", "hr.employee", "hr.office", "sales.address", "sales.client", "sales.order"]
    twins = Twins.of([table(name) for name in names])
    assert twins.behind([], np.zeros(6)) == {}
    assert twins.of_many == frozenset()


def test_of_many_equal_schemas_one_comes_first() -> None:
    """The first, or one with a table that leads: for a schema for each client, an answer is of one client's."""
    names = [f"client{number}.{own}" for number in range(4) for own in ("orders", "clients")]
    assert others(names, relevance=[0, 0, 0, 0.05]) == {name for name in names if not name.startswith("client0.")}
    assert others(names, relevance=[0, 0, 0, 0.2]) == {name for name in names if not name.startswith("client1.")}
    assert others(names, kept=[6]) == {name for name in names if not name.startswith("client3.")}
    assert others(names[:4]) == {name for name in names[:4] if name.startswith("client1.")}


@pytest.mark.parametrize("form", ["CREATE TABLE {}.{} {};", "CREATE TABLE lake.{}.{} {};"])
def test_an_answer_is_of_one_client(form: str) -> None:
    """Whether each has a schema or a database, and though one has a table less."""
    columns = {"clients": "(id INT, client TEXT, town TEXT)", "orders": "(id INT, client_id INT, day DATE, paid INT)"}
    columns |= {"sites": "(id INT, site TEXT, order_id INT)", "prices": "(id INT, price INT, day DATE, order_id INT)"}
    places = [(f"c{n}", own) for n in range(1, 5) for own in columns if (n, own) != (3, "prices")]
    ddl = "\n".join(form.format(schema, own, columns[own]) for schema, own in places)
    index = Index.build(Catalog.from_ddl(ddl, dialect="postgres"), embedder="distilled")
    answer = Reranker(index).rank("towns of clients with orders that are paid", k=3)
    assert len({table.rpartition(".")[0] for table in answer.tables}) == 1
    (note,) = answer.notes
    assert "the same tables are in 4 places" in note
    assert note.endswith("c1 were taken; name another one in the question, or require a table of it")
    asked = Reranker(index).rank("towns of clients of c 04 with orders that are paid", k=3)
    assert {table.split(".")[-2] for table in asked.tables} == {"c4"}
    assert not any("the same tables" in note for note in asked.notes)
    whole = index.contents.tables[0].id.rpartition(".")[0]
    required = Reranker(index).rank("towns of clients", k=2, require=[f"{whole[:-1]}2.orders"])
    assert {table.split(".")[-2] for table in required.tables} == {"c2"}


def test_of_two_databases_with_the_same_tables_an_answer_is_of_one() -> None:
    """With a note that tells of the other's tables; their keys are the same small numbers, and join nothing across."""
    frames = {
        "clients": pd.DataFrame({"client_id": range(9), "town": ["x", "y", "z"] * 3}),
        "orders": pd.DataFrame({"order_id": range(30), "client_id": [n % 9 for n in range(30)], "paid": [1.5] * 30}),
        "sites": pd.DataFrame({"site_id": range(4), "site": list("abcd")}),
    }
    both = {f"{place}.{name}": frame for place in ("de", "fr") for name, frame in frames.items()}
    reranker = Reranker(Index.build(Catalog.from_frames(both), embedder="distilled"))
    answer = reranker.rank("towns of clients with orders that are paid", k=2)
    assert set(answer.tables) == {"de.clients", "de.orders"}
    assert any("fr.clients beside de.clients" in note for note in answer.notes)
    whole = reranker.rank("towns of clients with orders that are paid", k=6)
    assert all({join.left[:2], join.right[:2]} != {"de", "fr"} for join in (*whole.joins, *whole.more_joins))
    asked = reranker.rank("towns of clients with orders that are paid in fr", k=2)
    assert set(asked.tables) == {"fr.clients", "fr.orders"}


def test_what_the_caller_gives_and_excludes_says_whose_tables_are_meant() -> None:
    """Neighbours of candidates are of their client, and no note speaks of another; of the rest a whole one is taken."""
    columns = {"customers": "(customer_id INT, name TEXT)", "orders": "(order_id INT, customer_id INT, paid INT)"}
    columns |= {"invoices": "(invoice_id INT, order_id INT, total INT)"}
    ddl = "".join(f"CREATE TABLE c{n}.{own} {columns[own]};" for n in range(4) for own in columns)
    reranker = Reranker(Index.build(Catalog.from_ddl(ddl, dialect="postgres"), embedder="distilled"))
    question = "totals of invoices per customer"
    given = reranker.rank(question, k=3, candidates=["c2.customers", "c2.invoices"])
    assert set(given.tables) == {"c2.customers", "c2.orders", "c2.invoices"}
    assert given.notes == ()
    mixed = reranker.rank(question, k=1, candidates=["c2.invoices", "c3.invoices"])
    assert mixed.notes == ("tables of the same columns are left out: c3.invoices beside c2.invoices",)
    rest = reranker.rank(question, k=3, exclude=["c0.customers"])
    assert {table.partition(".")[0] for table in rest.tables} == {"c1"}


def test_what_is_left_out_for_two_reasons_is_left_out_once() -> None:
    """Sharded tables of other clients, one of whom is excluded: the candidates are what is left."""
    columns = {"users": "(user_id INT, name TEXT)", "orders": "(order_id INT, user_id INT, paid INT)"}
    columns |= {f"events_{year}": "(event_id INT, user_id INT, kind TEXT)" for year in (2021, 2022, 2023)}
    ddl = "".join(f"CREATE TABLE client{n}.{own} {columns[own]};" for n in range(1, 7) for own in columns)
    reranker = Reranker(Index.build(Catalog.from_ddl(ddl, dialect="postgres"), embedder="distilled"))
    answer = reranker.rank("Which users have orders?", k=5, exclude=["client1"])
    assert {table.partition(".")[0] for table in answer.tables} == {"client2"}
    assert {"client2.users", "client2.orders"} <= set(answer.tables)


def test_what_clients_share_brings_no_other_client() -> None:
    """A table of countries joins the clients of all."""
    ddl = "CREATE TABLE shared.country (country_code TEXT, country_name TEXT);" + "".join(
        f"CREATE TABLE c{n}.customer (customer_id INT, name TEXT, country_code TEXT);"
        f"CREATE TABLE c{n}.invoice (invoice_id INT, customer_id INT, total INT, paid INT);"
        for n in range(3)
    )
    index = Index.build(Catalog.from_ddl(ddl, dialect="postgres"), embedder="distilled")
    answer = Reranker(index).rank("customers by name of country", k=4)
    assert set(answer.tables) == {"shared.country", "c0.customer", "c0.invoice"}


def test_what_speaks_for_a_schema() -> None:
    """Words of the question, then a name that is none of a copy, then relevant tables of its own, then its size."""
    whole = ["staging.orders", "public.orders", "audit.orders", "public.clients", "audit.checks", "audit.rules"]
    behind = {"staging.orders", "public.orders", "audit.orders"}
    assert others(whole, "staging order") == behind - {"staging.orders"}
    assert others(whole, relevance=[0, 0, 0, 0, 0.5]) == behind - {"audit.orders"}
    assert others(whole, relevance=[0.9, 0, 0, 0.7, 0.5]) == behind - {"public.orders"}
    assert others(whole) == behind - {"audit.orders"}
    assert others(["old.orders", "old.prices", "new.orders"], relevance=[0, 1]) == {"old.orders"}


def test_which_pairs_two_schemas_have_both() -> None:
    """Those of which either schema has both tables, one of these among the candidates; no layers, no own tables."""
    names = ["a.orders", "a.clients", "b.orders", "b.clients", "a.own", "b.other"]
    twins = Twins.of([table(name) for name in names])
    assert twins.mixed_pairs(range(6)) == [(0, 3), (1, 2)]
    assert twins.mixed_pairs([0, 1, 3]) == [(0, 3)]
    assert twins.mixed_pairs([0, 3]) == twins.mixed_pairs([0, 5]) == twins.mixed_pairs([0, 1]) == []


def test_what_the_caller_names_and_excludes() -> None:
    """A named table is never behind, and its schema counts for the other tables; an excluded one stands before none."""
    names = ["a.orders", "a.clients", "b.orders", "b.clients"]
    assert others(names, kept=[2]) == {"a.orders", "a.clients"}
    assert others(names, kept=[0, 2]) == set()
    assert others(["a.orders", "tmp.orders", "old.orders"], excluded=[0]) == set()
    assert others(["a.orders", "tmp.orders"]) == {"tmp.orders"}


@pytest.mark.parametrize(
    "copy", ["stg_orders", "ORDERS_BAK", "TmpOrders", "old_orders_backup", "a.stg_orders", "ORDERS_BKP_20210301"]
)
def test_marks_in_a_name_are_those_of_a_copy(copy: str) -> None:
    """At either end of it and in any case; the question may ask for the copy, and a mark alone is a name."""
    original = "a.orders" if "." in copy else "orders"
    assert others([copy, original]) == {copy}
    mark = next(word for word in ("stg", "bak", "bkp", "tmp", "old") if word in copy.lower())
    assert others([copy, original], f"{mark} order") == {original}
    assert others(["PP_WO_HDR_ARC", "PP_WO_HDR"]) == {"PP_WO_HDR_ARC"}
    assert not Twins.of([table("stg"), table("orders")]).groups


@pytest.mark.parametrize(
    ("original", "copy"), [("public", "staging"), ("shop.public", "shop.staging"), ("shop", "shop_backup")]
)
def test_a_schema_may_be_a_database_of_its_own(original: str, copy: str) -> None:
    """As DDL and servers have it; a database of another name has no twins of it."""
    tables = [Table(database, "orders", table("orders").columns) for database in (copy, original, "hr")]
    twins = Twins.of(tables)
    assert twins.groups == ((0, 1),)
    assert list(twins.behind([], np.zeros(3))) == [0]


def test_twins_in_ddl_with_schemas_are_told() -> None:
    """The answer is of the schema that is no copy."""
    columns = "(order_id INT, client_id INT, amount INT)"
    ddl = "".join(f"CREATE TABLE {schema}.orders {columns};" for schema in ("staging", "public"))
    index = Index.build(Catalog.from_ddl(ddl, dialect="postgres"), embedder=lambda texts: np.ones((len(texts), 2)))
    answer = Reranker(index).rank("amounts of orders", k=1)
    assert answer.tables == ("public.orders",)
    assert answer.notes == ("tables of the same columns are left out: staging.orders beside public.orders",)


def test_what_is_no_twin() -> None:
    """Other columns, names or databases, and one schema or none; a few columns more are no other table."""
    assert not Twins.of([table("a.orders"), table("b.orders", ["order_id", "species", "height"])]).groups
    assert not Twins.of([table("a.orders"), table("b.order_items")]).groups
    assert not Twins.of([table("orders"), table("orders_2")]).groups
    assert not Twins.of([table("a.orders"), Table("other", "b.orders", table("b.orders").columns)]).groups
    assert not Twins.of([table("a.orders", []), table("b.orders", [])]).groups
    loaded = table("b.ORDERS", [*map(str.upper, COLUMNS), "LOADED_AT", "BATCH"])
    assert Twins.of([table("a.orders"), loaded]).groups == ((0, 1),)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", *sorted(COPIES)[:2]]), st.sampled_from("xyz")), unique=True),
    st.lists(st.integers(0, 2), min_size=12, max_size=12),
    st.sets(st.integers(0, 11), max_size=3),
)
def test_some_order_of_the_schemas_says_what_is_behind(
    schemas: list[tuple[str, str]], relevance: list[int], excluded: set[int]
) -> None:
    """As brute force: of every group the tables of the best schemas stay, one at least unless all are excluded."""
    names = [".".join(pair) for pair in schemas]
    gone = {place for place in excluded if place < len(names)}
    behind = others(names, relevance=relevance, excluded=sorted(gone))
    left = [name for place, name in enumerate(names) if place not in gone]
    groups = [[name for name in left if name.endswith(own)] for own in "xyz"]
    assert any(
        all(
            {name for name in group if name not in behind}
            == {name for name in group if ranks[name[:-2]] == min(ranks[other[:-2]] for other in group)}
            for group in groups
        )
        for places in product(range(4), repeat=4)
        for ranks in [dict(zip(["a", "b", *sorted(COPIES)[:2]], places, strict=True))]
    )


@pytest.fixture(scope="module")
def index() -> Index:
    """A shop whose orders and clients are in a schema of copies, too."""
    clients = table("public.clients", ["client", "name", "town"])
    public = [table("public.orders"), clients, table("public.sites", ["site"])]
    copies = [table("archive.orders"), table("archive.clients", ["client", "name", "town", "loaded"])]
    return Index.build(Catalog([*copies, *public]), embedder=lambda texts: np.array([[1.0, 0.0] for _ in texts]))


def test_an_answer_holds_one_of_the_twins_and_tells_of_the_other(index: Index) -> None:
    """Unless the question names the other schema, or a weight of 0 has both."""
    answer = Reranker(index).rank("Which clients have orders?", k=2)
    assert set(answer.tables) == {"shop.public.orders", "shop.public.clients"}
    (note,) = [note for note in answer.notes if "same columns" in note]
    assert "shop.archive.orders beside shop.public.orders" in note
    asked = Reranker(index).rank("Which clients have orders in the archive?", k=2)
    assert set(asked.tables) == {"shop.archive.orders", "shop.archive.clients"}
    whole = Reranker(index).rank("Which clients have orders?", k=5)
    assert not [note for note in whole.notes if "same columns" in note]
    both = Reranker(index, twin=0).rank("Which clients have orders?", k=2)
    assert set(both.tables) != set(answer.tables)


def test_twins_join_only_where_that_is_stated(index: Index) -> None:
    """All columns of a copy agree with those of the original, which connects nothing; a pinned join does."""
    wished = ["shop.archive.orders", "shop.public.orders"]
    for weight, joined in ((0.2, False), (0, True)):
        assert Reranker(index, twin=weight, expand=0).rank("orders", k=2, candidates=wished).connected is joined
    assert Reranker(index).rank("orders", k=2, require=wished).connected
    pinned = Index.build(
        Catalog([table("a.orders"), table("b.orders")]), embedder=lambda texts: np.array([[1.0, 0.0] for _ in texts])
    )
    pinned.pin_join("shop.a.orders.order_id", "shop.b.orders.order_id")
    assert Reranker(pinned).rank("orders", k=2).connected


@pytest.mark.parametrize("scores", [None, [0.9, 0.85, 0.5]])
def test_of_the_twins_among_candidates_one_is_chosen(index: Index, scores: list[float] | None) -> None:
    """Though the retriever scores the copy best; where the original is no candidate, the copy stands for it."""
    tables = ["shop.archive.orders", "shop.public.orders", "shop.public.clients"]
    given = tables if scores is None else list(zip(tables, scores, strict=True))
    reranker = Reranker(index, expand=0)
    assert set(reranker.rank("orders of clients", k=2, candidates=given).tables) == set(tables[1:])
    alone = reranker.rank("orders", k=1, candidates=[given[0], given[2]])
    assert alone.tables == ("shop.archive.orders",)


def test_twins_that_the_caller_requires_are_chosen(index: Index) -> None:
    """And both, where there is nothing else."""
    given_both = ["shop.archive.orders", "shop.public.orders"]
    assert set(Reranker(index, expand=0).rank("orders", k=2, candidates=given_both).tables) == set(given_both)
    required = Reranker(index).rank("orders of clients", k=2, require=["shop.archive.orders"])
    assert set(required.tables) == {"shop.archive.orders", "shop.archive.clients"}
