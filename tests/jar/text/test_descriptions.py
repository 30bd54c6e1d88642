"""What the owner says of tables and columns counts: for names that say nothing, for shared words, in the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from jar import Catalog, Index, QueryError, Reranker
from jar.cli.main import main
from jar.description_file import read_descriptions
from jar.text.lexical import DESCRIPTION, count_words
from jar.text.spelled_names import TABLE_DESCRIPTION, spell
from jar.text.texts import column_text, name_text, table_text
from joinability import CatalogError
from tests.jar.conftest import toy_embedder

DDL = "CREATE TABLE T0412 (C1 INT, amount INT); CREATE TABLE orders (cu_no INT, amount INT); CREATE TABLE X9 (C1 INT);"
SAID = {
    "shop.T0412": "Complaints of the customers by month",
    "shop.T0412.C1": "branch of the bank",
    "shop.orders": "What customers bought",
}


@pytest.fixture
def catalog() -> Catalog:
    return Catalog.from_ddl(DDL, database="shop").with_descriptions(SAID)


def test_a_description_stands_beside_a_name_that_says_nothing(catalog: Catalog) -> None:
    """In the texts of table and column; a name with a known word stays as it is."""
    cryptic, orders, _ = spell(catalog.tables)
    assert table_text(cryptic) == "shop.t 0412 complaints customers month(c 1 branch bank, amount)"
    assert column_text(cryptic, 0) == "t 0412 complaints customers month c 1 branch bank"
    assert table_text(orders) == "shop.orders(cu_no, amount)"
    assert name_text(orders) == "shop orders customers bought"
    assert name_text(cryptic) == "shop t 0412 complaints customers month"


def test_words_of_descriptions_count_less_than_those_of_names(catalog: Catalog) -> None:
    """And only where no name has them."""
    counted = count_words(spell(catalog.tables))
    times = {
        (counted.words[word], int(table)): count
        for word, table, count in zip(counted.word, counted.table, counted.times, strict=True)
    }
    assert times["bought", 1] == DESCRIPTION
    assert times["branch", 0] == 1
    assert ("month", 2) not in times


def test_a_long_description_is_cut() -> None:
    """The first words say what a table is."""
    catalog = Catalog.from_ddl(DDL, database="shop").with_descriptions(
        {"shop.orders": " ".join(f"word{number}x" for number in range(99))}
    )
    assert len(spell(catalog.tables)[1].description) == TABLE_DESCRIPTION


def test_a_question_finds_a_table_by_its_description(catalog: Catalog) -> None:
    """Without it, nothing in the schema says "complaint"."""
    index = Index.build(catalog, embedder=toy_embedder, progress=False)
    assert Reranker(index).rank("How many complaints did we get?", 1).tables == ("shop.T0412",)
    assert index.contents.tables[0].description == SAID["shop.T0412"]


@pytest.mark.parametrize("name", ["shop.order", "shop.orders.cuno", "ordres", "orders.cuno"])
def test_a_description_of_nothing_is_an_error(name: str) -> None:
    """The message has the names that are near."""
    with pytest.raises(CatalogError, match=r"names '.*', which is no table or column .*did you mean 'shop\.orders"):
        Catalog.from_ddl(DDL, database="shop").with_descriptions({name: "customers"})


def test_the_command_reads_descriptions_from_a_file(tmp_path: Path) -> None:
    """CSV lines of a name and what it means; quotes keep commas."""
    (tmp_path / "shop.sql").write_text(DDL)
    said = tmp_path / "said.csv"
    said.write_text('shop.T0412,"Complaints, by month"\n\nshop.orders.cu_no,the customer\n')
    arguments = ["index", tmp_path / "shop.sql", "-o", tmp_path / "shop.jar", "--embedder", "static"]
    done = CliRunner().invoke(main, [*map(str, arguments), "--descriptions", str(said)])
    assert done.exit_code == 0, done.output
    contents = Index.load(tmp_path / "shop.jar").contents
    assert contents.tables[0].description == "Complaints, by month"
    assert contents.tables[1].columns[0].description == "the customer"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"shop.orders,customers, and more\n", r"line 1: expected a name and its description, found 3 fields"),
        (b"shop.orders\n", r"line 1: .* found 1 fields"),
        (b'shop.orders,"customers\n', "is no CSV file"),
        (b"shop.orders,\xff\n", "save it as UTF-8"),
    ],
)
def test_a_broken_file_of_descriptions_is_told(tmp_path: Path, text: bytes, fault: str) -> None:
    """With its line where there is one."""
    path = tmp_path / "said.csv"
    path.write_bytes(text)
    with pytest.raises(QueryError, match=fault):
        read_descriptions(path)


@pytest.mark.parametrize(
    "lines",
    [
        ["name,description", "shop.T0412,complaints", "shop.orders.cu_no,the customer"],
        ["Table, Column, Description", "shop.T0412,,complaints", "shop.orders,cu_no,the customer"],
        ["", "database,table,column,description", "shop,T0412,,complaints", "shop,orders,cu_no,the customer"],
        ["shop.T0412,complaints", "shop.orders.cu_no,the customer"],
    ],
)
def test_a_file_of_descriptions_may_name_its_fields(tmp_path: Path, lines: list[str]) -> None:
    """Then the name may have several, and an empty one says nothing."""
    path = tmp_path / "said.csv"
    path.write_text("\n".join(lines))
    assert read_descriptions(path) == {"shop.T0412": "complaints", "shop.orders.cu_no": "the customer"}


def test_a_header_in_the_middle_is_a_line_like_others(tmp_path: Path) -> None:
    """The fields are named before the first description, and each line has as many."""
    path = tmp_path / "said.csv"
    path.write_text("table,column,description\nshop.orders,cu_no,the customer\nshop.T0412,complaints\n")
    with pytest.raises(QueryError, match="line 3: expected table, column, description, found 2 fields"):
        read_descriptions(path)
    path.write_text("shop.T0412,complaints\nname,description\n")
    assert read_descriptions(path) == {"shop.T0412": "complaints", "name": "description"}


def test_all_unknown_names_are_told_at_once() -> None:
    """Ten of them with what is near, then how many more; what is known does not count."""
    catalog = Catalog.from_ddl(DDL, database="shop")
    wrong = {f"shop.order{number}": "orders" for number in range(12)}
    with pytest.raises(CatalogError) as told:
        catalog.with_descriptions({"shop.orders": "known", **wrong})
    message = str(told.value)
    assert message.startswith("12 descriptions name no table or column of the catalog: 'shop.order0' (did you mean ")
    assert message.count("'shop.order") - message.count("'shop.orders") == 10
    assert message.endswith("and 2 more")
    with pytest.raises(CatalogError, match=r"^2 descriptions name .*'zzz', 'shop\.order1' \(did you mean [^)]*\?\)$"):
        catalog.with_descriptions({"zzz": "nothing is near", "shop.order1": "orders"})


def test_short_names_are_described_where_one_table_or_column_is_meant() -> None:
    """A table before a column, a whole id before a short name; of several the error lists the ids."""
    two = Catalog.from_ddl(DDL, database="shop") + Catalog.from_ddl("CREATE TABLE orders (amount INT)", database="old")
    said = {"T0412": "complaints", "T0412.C1": "branch", "cu_no": "the customer", "old.orders": "x"}
    told = two.with_descriptions(said)
    assert told["shop.T0412"].description == "complaints"
    assert told["shop.T0412"].columns[0].description == "branch"
    assert told["shop.orders"].columns[0].description == "the customer"
    assert (told["old.orders"].description, told["shop.orders"].description) == ("x", None)
    for name, kind, ids in (
        ("orders", "tables", "shop.orders, old.orders"),
        ("orders.amount", "columns", "shop.orders.amount, old.orders.amount"),
    ):
        with pytest.raises(CatalogError, match=f"'{name}' is the short name of 2 {kind}: {ids}; give the id"):
            two.with_descriptions({name: "which?"})


def described(index: Index) -> dict[str, str]:
    """What the tables and columns of an index are told to hold."""
    tables = index.contents.tables
    return {
        **{table.id: table.description for table in tables if table.description},
        **{f"{table.id}.{one.name}": one.description for table in tables for one in table.columns if one.description},
    }


def test_a_refresh_keeps_descriptions_until_others_are_given(tmp_path: Path) -> None:
    """Of a table that changed, of one that goes and comes back, and where nothing changed; none take them all."""
    path, said = tmp_path / "shop.jar", {"T0412": "complaints", "orders.cu_no": "the customer"}
    full = {"shop.T0412": "complaints", "shop.orders.cu_no": "the customer"}

    def refreshed(catalog: Catalog) -> Index:
        return Index.build(catalog, path=path, embedder="static", progress=False)

    first = Catalog.from_ddl(DDL, database="shop")
    assert described(refreshed(first.with_descriptions(said))) == full
    again = refreshed(first)
    assert again.changes is not None
    assert (again.changes.kept, again.changes.added) == (3, ())
    changed = Catalog.from_ddl(DDL.replace("cu_no INT", "cu_no INT, day DATE"), database="shop")
    assert described(refreshed(changed)) == full
    without = Catalog.from_ddl("CREATE TABLE X9 (C1 INT);", database="shop")
    assert described(refreshed(without)) == {}
    assert described(refreshed(changed)) == full
    more = Catalog.from_ddl("CREATE TABLE a (b INT)", database="more")
    assert described(refreshed(changed + more.with_descriptions({"a": "other"}))) == {"more.a": "other"}
    assert described(refreshed(changed.with_descriptions({}))) == {}
    assert described(refreshed(changed + more)) == {}


def test_a_comment_of_the_source_holds_where_a_description_is_taken_back(tmp_path: Path) -> None:
    """What is described stands before it as long as it is given."""
    ddl = "CREATE TABLE t (a INT COMMENT 'of the source');"
    source, path = Catalog.from_ddl(ddl, dialect="mysql", database="shop"), tmp_path / "shop.jar"
    for catalog, told in (
        (source, "of the source"), (source.with_descriptions({"t.a": "of mine"}), "of mine"), (source, "of mine"),
        (source.with_descriptions({}), "of the source"), (source, "of the source"),
    ):  # fmt: skip
        index = Index.build(catalog, path=path, embedder="static", progress=False)
        assert described(index) == {"shop.t.a": told}


def test_the_command_says_that_descriptions_are_kept(tmp_path: Path) -> None:
    """How many, and which of them have no effect, as their table is gone; an empty file takes them back."""
    (tmp_path / "shop.sql").write_text(DDL)
    (tmp_path / "said.csv").write_text("T0412,complaints\norders.cu_no,the customer\n")
    (tmp_path / "none.csv").write_text("")
    command = ["index", str(tmp_path / "shop.sql"), "-o", str(tmp_path / "shop.jar"), "--embedder", "static"]

    def told(*more: str) -> str:
        done = CliRunner().invoke(main, [*command, *more])
        assert done.exit_code == 0, done.output
        return done.output

    assert "kept" not in told("--descriptions", str(tmp_path / "said.csv"))
    assert "kept: 2 descriptions given before; --descriptions takes others in their place\n" in told()
    (tmp_path / "shop.sql").write_text("CREATE TABLE T0412 (C1 INT, amount INT);")
    assert "of no effect until they come back, though described: shop.orders.cu_no\n" in told()
    assert "described" not in told("--descriptions", str(tmp_path / "none.csv"))
    assert "kept" not in told()
