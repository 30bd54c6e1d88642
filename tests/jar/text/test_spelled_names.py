"""Names of whole tables in words, and what BM25 and the notes make of them."""

from __future__ import annotations

import pytest

from jar.text.lexical import WordIndex, unknown_words
from jar.text.spelled_names import spell
from jar.text.texts import column_text, name_text, table_text
from joinability.schema import Column, Table

ORDERS = Table(
    "shop",
    "web.SALESORDER",
    (Column("so_id"), Column("so_custNbr"), Column("so_amt"), Column("so_x", natural_name="Net Worth")),
)
CUSTOMERS = Table("shop", "crm.customer", (Column("customer_id"), Column("CustomerName")))


def test_a_table_in_words() -> None:
    """Schema, run-together name, prefix and short forms are told; plain names stay as written."""
    orders, customers = spell([ORDERS, CUSTOMERS])
    assert (orders.schema, orders.name) == (("web",), ("sales", "order"))
    assert orders.columns == (("id",), ("customer", "number"), ("amount",), ("Net", "Worth"))
    assert customers.schema == ("crm",)
    assert table_text(orders) == "shop.web sales order(id, customer number, amount, Net Worth)"
    assert table_text(customers).startswith("shop.crm.customer(")
    assert table_text(customers).endswith("CustomerName)")
    assert name_text(orders) == "shop web sales order"
    assert column_text(orders, 1) == "web sales order customer number"


def test_a_database_called_db_is_one() -> None:
    """Whatever these letters mean to those who work there, as debit: they would say it of every table."""
    columns = tuple(map(Column, ("DB_AMT", "CR_AMT", "JRNL_NO")))
    assert spell([Table("DB", "GL_JRNL", columns)])[0].database == ("database",)


def test_databases_have_vocabularies_of_their_own() -> None:
    """The same short form means the word that its own database has, and order is kept."""
    tables = [
        Table("a", "x", (Column("subscriber"),)),
        Table("b", "y", (Column("subsidiary"),)),
        Table("a", "z", (Column("sbscrbr"),)),
    ]
    assert [table.columns[-1] for table in spell(tables)] == [("subscriber",), ("subsidiary",), ("subscriber",)]
    assert spell([]) == []


def test_words_of_the_schema_that_all_tables_have_say_nothing() -> None:
    """A schema that is everywhere, or named as the database, is left out."""
    tables = [Table("bq", "bq.public.a", (Column("x"),)), Table("bq", "bq.private.b", (Column("x"),))]
    assert [table.schema for table in spell(tables)] == [(), ("private",)]


def test_bm25_finds_the_words_and_the_names_as_written() -> None:
    """A question matches what the name means, and what stands in it."""
    index = WordIndex.of([ORDERS, CUSTOMERS])
    assert index.match("Which sales orders are there?").tolist() == [1.0, 0.0]
    assert index.match("salesorder")[0] == 1.0
    assert index.knows("amounts")
    assert not index.knows("zebra")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many orders?", ""),
        ("Which zebra is oldest?", ""),
        ("?", "no word that says"),
        ("how many are there", "no word that says"),
        ("2024", "no word that says"),
        ("сколько заказов", "no word of the question is known"),
        ("注文はいくつ", "no word of the question is known"),
        ("médico", ""),
        ("Kündigungsgrund", ""),
        ("顧客の金額", ""),
    ],
)
def test_a_question_of_unknown_words_is_told(question: str, told: str) -> None:
    """Signs, stop words, numbers and other scripts get a note, words of the index and of English get none."""
    named = [Column(name, "text") for name in ("medico", "Kuendigungsgrund", "顧客")]
    note = unknown_words(question, WordIndex.of([ORDERS, CUSTOMERS, Table("shop", "extra", named)]))
    assert told in note
    assert bool(told) == bool(note)


def test_the_area_of_nearly_all_tables_is_left_out() -> None:
    """That of some says which they are."""
    names = ["ptDriver", "ptDepot", "ptFine", "ptCard"]
    tables = [Table("transit", name, [Column("id")]) for name in names]
    assert [table.name for table in spell(tables)] == [("driver",), ("depot",), ("fine",), ("card",)]
    more = [Table("transit", name, [Column("id")]) for name in ("invoice", "payment")]
    assert spell([*tables, *more])[0].name == ("pt", "driver")
