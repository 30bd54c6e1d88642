"""Polymorphic references: found and counted as a brute-force search does, scored, kept, and found anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from joinability import Catalog, EvidenceStore, JoinGraph, JoinPath, Table, composite_joins, find_composites
from joinability.composite import polymorphic_search as search
from joinability.composite import read_columns
from joinability.errors import SourceError
from tests.joinability.composite.stored_references import joins, look_for_references, stored

Add = Callable[[Catalog], list[tuple[str, str]]]
Frames = dict[str, pd.DataFrame]
MEANT = {"Post": "posts", r"App\Models\Photo": "photos", "posts": "posts", "photos": "photos", "comments": "comments"}
"""The table that each value names."""


def blog(seed: int = 0, gone: int = 10) -> Frames:
    """Comments on posts, some of which are gone, and on photos, and a log of changes."""
    generator = np.random.default_rng(seed)
    kind = generator.choice(["Post", r"App\Models\Photo"], 300)
    target = np.where(kind == "Post", generator.integers(1, 121 + gone, 300), generator.integers(1, 61, 300))
    return {
        "blog.posts": pd.DataFrame({"id": range(1, 121), "words": generator.integers(1, 9, 120)}),
        "blog.photos": pd.DataFrame({"id": range(1, 61), "width": generator.integers(1, 9, 60)}),
        "blog.comments": pd.DataFrame({"id": range(1, 301), "commentable_type": kind, "commentable_id": target}),
        "blog.changes": pd.DataFrame(
            {
                "change_no": range(5000, 5400),
                "table_name": generator.choice(["posts", "photos", "comments", "users"], 400),
                "record_id": generator.integers(1, 61, 400),
            }
        ),
    }


def brute_force(frames: Frames, child: str, typed: str, key: str) -> dict[str, tuple[int, int]]:
    """Of each table that a column names, how many distinct keys refer to it, and how many of them it has."""
    found = {}
    for value, rows in frames[child].groupby(typed):
        if str(value) in MEANT:
            parent = f"blog.{MEANT[str(value)]}"
            keys = set(rows[key])
            found[parent] = len(keys), len(keys & set(frames[parent]["id"]))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_counts_are_those_of_brute_force(seed: int, store: EvidenceStore, add: Add) -> None:
    """Of each type that names a table the keys are counted that it has; a type that names none tells nothing."""
    frames = blog(seed)
    look_for_references(frames, store, add)
    evidence = store.load()
    found = {
        (evidence.table_names[evidence.table[key.child[0]]], evidence.table_names[evidence.table[key.parent[0]]]): (
            key.compared,
            key.common,
        )
        for key in stored(store, "polymorphic")
    }
    expected = {
        (child, parent): counts
        for child, typed, key in (
            ("blog.comments", "commentable_type", "commentable_id"),
            ("blog.changes", "table_name", "record_id"),
        )
        for parent, counts in brute_force(frames, child, typed, key).items()
    }
    assert found == expected
    assert len(expected) == 5


def test_the_score_follows_from_the_share_of_keys(store: EvidenceStore, add: Add) -> None:
    """w = (0.5 + 0.5 |A n B| / (|A| + 0.3)) u^4 with the keys A under the type."""
    frames = blog(gone=40)
    look_for_references(frames, store, add)
    counts = brute_force(frames, "blog.comments", "commentable_type", "commentable_id")
    told = {edge.right_table: edge for edge in joins(store, "polymorphic") if edge.left_table == "blog.comments"}
    for parent, (compared, common) in counts.items():
        assert told[parent].score == pytest.approx(0.5 + 0.5 * common / (compared + 0.3))
        assert told[parent].evidence["containment_left"] == pytest.approx(common / compared)
        assert told[parent].kind == "polymorphic"
    assert counts["blog.posts"][1] < counts["blog.posts"][0]


def test_the_condition_names_the_type(store: EvidenceStore, add: Add) -> None:
    """A condition says in which rows the join holds, from either side; quotes in values are doubled."""
    frames = blog()
    frames["blog.comments"]["commentable_type"] = frames["blog.comments"]["commentable_type"].replace(
        "Post", "it's::Post"
    )
    look_for_references(frames, store, add)
    ends = "blog.comments", "blog.posts"
    (edge,) = (edge for edge in joins(store, "polymorphic") if (edge.left_table, edge.right_table) == ends)
    keys_equal = "blog.comments.commentable_id = blog.posts.id"
    assert edge.condition == f"{keys_equal} AND blog.comments.commentable_type = 'it''s::Post'"
    turned = edge.seen_from("blog.posts")
    assert turned.condition == (
        "blog.posts.id = blog.comments.commentable_id AND blog.comments.commentable_type = 'it''s::Post'"
    )
    assert turned.seen_from("blog.comments") == edge
    told = {"column": "commentable_type", "values": ["it's::Post"], "on_left": True, "are_numbers": False}
    assert edge.to_dict()["where"] == told


def numbered(seed: int = 0) -> Frames:
    """Attachments of orders and of items, whose types are numbers in a list of all tables; some have none."""
    generator = np.random.default_rng(seed)
    types = pd.DataFrame(
        {
            "id": [11, 12, 13, 14],
            "app_label": ["shop", "shop", "auth", "sites"],
            "model": ["order", "item", "user", "site"],
        }
    )
    kind = generator.choice([11, 12, 14, None], 200)
    attached = {
        "attachment_no": range(900, 1100),
        "content_type_id": pd.array(kind, dtype="Int64"),
        "object_id": generator.integers(1, 81, 200),
    }
    return {
        "web.django_content_type": types,
        "web.shop_order": pd.DataFrame({"id": range(1, 71), "size": generator.integers(1, 9, 70)}),
        "web.shop_item": pd.DataFrame({"id": range(1, 61), "size": generator.integers(1, 9, 60)}),
        "web.auth_user": pd.DataFrame({"id": range(1, 6), "login": list("abcde")}),
        "web.attachments": pd.DataFrame(attached),
    }


@pytest.mark.parametrize("dtype", ["Int64", "float64", "object"])
def test_types_may_be_numbers_in_a_list_of_tables(dtype: str, store: EvidenceStore, add: Add) -> None:
    """Django's content types: the list says which table a number means, and the condition has the number."""
    frames = numbered()
    attached = frames["web.attachments"]
    attached["content_type_id"] = attached["content_type_id"].astype(dtype)
    look_for_references(frames, store, add)
    found = {edge.right_table: edge for edge in joins(store, "polymorphic") if edge.left_table == "web.attachments"}
    assert found.keys() == {"web.shop_order", "web.shop_item"}
    for number, table in ((11, "web.shop_order"), (12, "web.shop_item")):
        used = set(attached.loc[attached["content_type_id"] == number, "object_id"])
        common = len(used & set(frames[table]["id"]))
        assert found[table].score == pytest.approx(0.5 + 0.5 * common / (len(used) + 0.3))
        assert found[table].condition.endswith(f"AND web.attachments.content_type_id = {number}")


@pytest.mark.parametrize("text_key", [False, True])
def test_a_list_of_types_by_its_key(text_key: bool, store: EvidenceStore, add: Add) -> None:
    """A key that is a text is read once; modules of several tables are none of them."""
    frames = numbered()
    frames["web.shop"] = pd.DataFrame({"id": range(1, 4)})
    if text_key:
        frames["web.room_type"] = pd.DataFrame({"code": ["a", "b"], "name": ["large", "small"]})
    look_for_references(frames, store, add)
    found = {edge.right_table: edge.where for edge in joins(store, "polymorphic")}
    assert {table: where.values for table, where in found.items() if where} == {
        "web.shop_order": ("11",),
        "web.shop_item": ("12",),
    }


def test_types_behind_other_words(store: EvidenceStore, add: Add) -> None:
    """Who acts and on what: two references by one list."""
    frames = numbered()
    attached = frames["web.attachments"]
    names = {"content_type_id": "actor_content_type_id", "object_id": "actor_object_id"}
    frames["web.attachments"] = attached.rename(columns=names)
    look_for_references(frames, store, add)
    assert {edge.right_table for edge in joins(store, "polymorphic")} == {"web.shop_order", "web.shop_item"}


def test_a_list_of_something_else_is_no_list_of_types(store: EvidenceStore, add: Add) -> None:
    """Its rows have to name tables."""
    frames = numbered()
    frames["web.django_content_type"]["app_label"] = "paint"
    frames["web.django_content_type"]["model"] = ["red", "green", "blue", "white"]
    look_for_references(frames, store, add)
    assert not stored(store, "polymorphic")


def test_types_of_one_table_are_one_join(store: EvidenceStore, add: Add) -> None:
    """Two values that name one table stand in one condition."""
    frames = blog()
    frames["blog.comments"].loc[:99, "commentable_type"] = "posts"
    frames["blog.comments"].loc[:99, "commentable_id"] = range(1, 101)
    look_for_references(frames, store, add)
    told = [edge.condition for edge in joins(store, "polymorphic") if edge.right_table == "blog.posts"]
    assert [condition for condition in told if condition.endswith("commentable_type IN ('Post', 'posts')")]


def test_what_is_no_reference_is_not_found(store: EvidenceStore, add: Add) -> None:
    """The type of a row itself, types that name no table, and tables without the keys give no joins."""
    count = range(1, 201)
    frames = {
        "shop.accounts": pd.DataFrame({"account_id": count, "account_type": ["customer", "supplier"] * 100}),
        "shop.customers": pd.DataFrame({"customer_id": range(1, 401)}),
        "shop.suppliers": pd.DataFrame({"supplier_id": range(1, 401)}),
        "shop.bookings": pd.DataFrame(
            {"no": count, "account_id": [n // 2 + 1 for n in count], "account_type": ["customer", "supplier"] * 100}
        ),
        "shop.notes": pd.DataFrame(
            {"no": count, "target_type": ["red", "blue"] * 100, "target_id": [n // 2 + 1 for n in count]}
        ),
        "shop.files": pd.DataFrame(
            {"no": count, "owner_type": ["customer"] * 200, "owner_id": [9000 + n // 2 for n in count]}
        ),
    }
    look_for_references(frames, store, add)
    assert stored(store, "polymorphic") == []


def test_a_short_form_names_a_table_that_has_the_keys(store: EvidenceStore, add: Add) -> None:
    """An "SO" is a sales order where sales orders have its numbers, and nothing where they have too few of them."""
    orders = pd.DataFrame({"order_no": range(4000, 4100), "sum": [n % 7 for n in range(100)]})
    known = pd.DataFrame({"no": range(200), "doc_type": ["SO"] * 200, "doc_no": [4000 + n // 2 for n in range(200)]})
    unknown = known.rename(columns={"doc_type": "src_type", "doc_no": "src_no"}).assign(src_no=range(3000, 3200))
    frames = {"erp.sales_orders": orders, "erp.postings": known, "erp.letters": unknown}
    look_for_references(frames, store, add)
    assert [edge.condition for edge in joins(store, "polymorphic")] == [
        "erp.postings.doc_no = erp.sales_orders.order_no AND erp.postings.doc_type = 'SO'"
    ]


def test_large_tables_are_sampled(store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large child the first rows are read, and of a large parent a sample; such counts are marked as estimates."""
    monkeypatch.setattr(search, "MOST_ROWS", 100)
    monkeypatch.setattr(search, "MOST_KEYS", 20_000)
    frames = blog(gone=0)
    frames["blog.posts"] = pd.DataFrame({"id": range(1, 70_001), "words": 3})
    look_for_references(frames, store, add)
    ends = "blog.comments", "blog.posts"
    (edge,) = (edge for edge in joins(store, "polymorphic") if (edge.left_table, edge.right_table) == ends)
    assert edge.evidence["estimated"]
    assert edge.evidence["containment_left"] == 1


def test_few_keys_of_a_large_table_are_found(store: EvidenceStore, add: Add) -> None:
    """All keys of a table are compared, however many it has."""
    posts = pd.DataFrame({"id": range(1, 80_001), "words": 3})
    changes = pd.DataFrame({"no": range(14), "table_name": "posts", "record_id": range(70_000, 70_014)})
    changes = pd.concat([changes, changes.assign(no=range(14, 28))])
    look_for_references({"blog.posts": posts, "blog.changes": changes}, store, add)
    (edge,) = joins(store, "polymorphic")
    assert edge.evidence["containment_left"] == 1
    assert not edge.evidence["estimated"]


def test_a_name_that_is_called_like_a_table_is_no_type(store: EvidenceStore, add: Add) -> None:
    """Dashboards named "Users" and "Orders" keep their owners; so do things of which few have the type of a table."""
    count = range(1, 101)
    frames = {
        "app.users": pd.DataFrame({"id": range(1, 61)}),
        "app.orders": pd.DataFrame({"id": range(1, 61)}),
        "app.dashboards": pd.DataFrame(
            {
                "no": count,
                "name": ["Users", "Orders", *(f"board {n}" for n in range(8))] * 10,
                "owner_id": [*range(1, 51)] * 2,
            }
        ),
        "app.parts": pd.DataFrame(
            {"no": count, "item_kind": ["order", *["bolt", "nut", "screw"] * 3] * 10, "item_id": [*range(1, 51)] * 2}
        ),
    }
    look_for_references(frames, store, add)
    assert stored(store, "polymorphic") == []


def test_rows_are_read_only_where_values_may_name_tables(
    store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a table of events, whose types are those of events, nothing is read."""
    frames = {
        **blog(),
        "blog.events": pd.DataFrame(
            {"no": range(90), "event_type": ["click", "view", "scroll"] * 30, "event_id": [n // 2 for n in range(90)]}
        ),
    }
    catalog = Catalog.from_frames(frames)
    add(catalog)
    real, read = read_columns.column_batches, set()
    monkeypatch.setattr(
        read_columns, "column_batches", lambda table, positions: read.add(table.id) or real(table, positions)
    )
    find_composites(store.connection, catalog)
    assert read == {"blog.posts", "blog.photos", "blog.comments", "blog.changes"}


def test_two_references_of_one_table_are_not_crossed(store: EvidenceStore, add: Add) -> None:
    """The type of a target tells of the target."""
    count = 200
    frames = {
        "app.orders": pd.DataFrame({"id": range(1, 101)}),
        "app.invoices": pd.DataFrame({"id": range(1, 101)}),
        "app.links": pd.DataFrame(
            {
                "no": range(count),
                "source_type": ["Order", "Invoice"] * 100,
                "source_id": [n % 90 + 1 for n in range(count)],
                "target_type": ["Invoice", "Order"] * 100,
                "target_id": [n % 80 + 1 for n in range(count)],
            }
        ),
    }
    look_for_references(frames, store, add)
    assert {edge.condition for edge in joins(store, "polymorphic")} == {
        f"app.links.{end}_id = app.{table}s.id AND app.links.{end}_type = '{table.title()}'"
        for end in ("source", "target")
        for table in ("order", "invoice")
    }


def test_a_key_that_is_called_like_the_reference_takes_no_other(store: EvidenceStore, add: Add) -> None:
    """That companies are keyed `owner_id` says nothing of the owners that are users."""
    frames = {
        "app.companies": pd.DataFrame({"owner_id": range(1, 61)}),
        "app.users": pd.DataFrame({"id": range(1, 61)}),
        "app.shares": pd.DataFrame(
            {"no": range(120), "owner_type": ["Company", "User"] * 60, "owner_id": [n // 4 + 1 for n in range(120)]}
        ),
    }
    look_for_references(frames, store, add)
    assert {edge.right_table for edge in joins(store, "polymorphic")} == {"app.companies", "app.users"}


def test_types_in_short_and_in_full_are_one_join(store: EvidenceStore, add: Add) -> None:
    """A table is meant by its name and by what is short for it."""
    frames = {
        "erp.invoices": pd.DataFrame({"id": range(1, 101)}),
        "erp.ledger": pd.DataFrame(
            {"no": range(400), "doc_type": ["INV", "Invoice"] * 200, "doc_no": [n // 4 + 1 for n in range(400)]}
        ),
    }
    look_for_references(frames, store, add)
    (edge,) = joins(store, "polymorphic")
    assert edge.condition.endswith("AND erp.ledger.doc_type IN ('Invoice', 'INV')")


def test_keys_of_several_kinds_are_found(store: EvidenceStore, add: Add) -> None:
    """A log may hold numbers of users and codes of customers in one column of texts."""
    codes = [f"AB{n:03}" for n in range(50)]
    frames = {
        "app.users": pd.DataFrame({"id": range(1, 51)}),
        "app.customers": pd.DataFrame({"code": codes}),
        "app.audit": pd.DataFrame(
            {
                "no": range(200),
                "table_name": ["users", "customers"] * 100,
                "record_id": [text for n in range(100) for text in (str(n // 2 + 1), codes[n // 2])],
            }
        ),
    }
    look_for_references(frames, store, add)
    assert {edge.right for edge in joins(store, "polymorphic")} == {"app.users.id", "app.customers.code"}


def test_a_path_needs_no_row_of_two_types(store: EvidenceStore, add: Add) -> None:
    """No way leads through a log by which a row would tell of a post and of a photo, and none through comments."""
    frames = blog()
    frames["blog.comments"]["user_id"] = [n // 6 + 1 for n in range(300)]
    frames["blog.photos"]["user_id"] = [n // 2 + 1 for n in range(60)]
    frames["blog.users"] = pd.DataFrame({"id": range(1, 61)})
    look_for_references(frames, store, add)
    evidence = store.load()
    more = [join.to_edge(evidence) for join in composite_joins(evidence, stored(store, "polymorphic"))]
    graph = JoinGraph.of(evidence, min_score=0.3, more=more)
    ways = graph.paths("posts", "photos", 9)
    assert ways[0].tables == ("blog.posts", "blog.comments", "blog.users", "blog.photos")
    assert all(way.is_possible for way in ways)
    straight = [*graph.between("posts", "comments")[:1], *graph.between("comments", "photos")[:1]]
    assert not JoinPath(("blog.posts", "blog.comments", "blog.photos"), tuple(straight)).is_possible


def test_a_search_of_changes_finds_what_one_of_all_does(store: EvidenceStore, add: Add) -> None:
    """References of a changed table, and to one, are those of a search that starts anew, and others stay."""
    catalog = look_for_references(blog(), store, add)
    whole = stored(store, "polymorphic")
    for table in ("blog.posts", "blog.comments"):
        rows = store.connection.execute("SELECT column_id FROM profiles WHERE table_id = ?", [table]).fetchall()
        columns = [row[0] for row in rows]
        store.connection.execute("DELETE FROM composite_keys WHERE list_has_any(child || parent, ?)", [columns])
        assert len(stored(store, "polymorphic")) < len(whole)
        find_composites(store.connection, catalog, columns)
        assert sorted(map(str, stored(store, "polymorphic"))) == sorted(map(str, whole))


def test_a_store_of_an_earlier_version_is_searched_anew() -> None:
    """Keys that were found before there were types are read, and a search of no changes looks for all."""
    with duckdb.connect() as connection:
        store = EvidenceStore(connection)
        store.create()
        catalog = Catalog.from_frames(blog())
        first = 0
        numbered = []
        for table in catalog:
            numbered.append((table, first))
            first += len(table.columns)
        store.add_tables(numbered)
        store.update_overlaps()
        find_composites(connection, catalog)
        found = stored(store, "polymorphic")
        connection.execute("ALTER TABLE composite_keys DROP COLUMN type_values")
        connection.execute("ALTER TABLE composite_keys DROP COLUMN type_column")
        assert stored(store, "polymorphic") == []
        find_composites(connection, catalog, [])
        assert stored(store, "polymorphic") == found


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ("blog.changes", {("blog.comments", "blog.posts"), ("blog.comments", "blog.photos")}),
        (
            "blog.photos",
            {("blog.comments", "blog.posts"), ("blog.changes", "blog.posts"), ("blog.changes", "blog.comments")},
        ),
    ],
)
def test_an_unreadable_table_is_told(
    gone: str, left: set[tuple[str, str]], store: EvidenceStore, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that can no longer be read fails alone, as a child and as a parent: the other references are found."""
    catalog = Catalog.from_frames(blog())
    add(catalog)
    real = read_columns.column_batches

    def broken(table: Table, positions: Sequence[int]) -> Iterator[list[pa.Array]]:
        if table.id == gone:
            raise SourceError(gone, "the disk is gone")
        return real(table, positions)

    monkeypatch.setattr(read_columns, "column_batches", broken)
    failures = find_composites(store.connection, catalog)
    assert failures == [(gone, "polymorphic references were not looked for: the disk is gone")]
    assert {(edge.left_table, edge.right_table) for edge in joins(store, "polymorphic")} == left
