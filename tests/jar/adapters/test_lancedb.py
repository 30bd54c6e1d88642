"""The LanceDB reranker ranks rows as the re-ranker does, whichever search found them, and keeps what they hold."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from jar import Index, QueryError, Reranker

lancedb = pytest.importorskip("lancedb", reason='LanceDB is not installed: pip install "jar-rerank[lancedb]"')
from lancedb.index import FTS  # noqa: E402 - after the question whether LanceDB is there
from lancedb.query import BooleanQuery, MatchQuery, Occur  # noqa: E402

from jar.adapters.lancedb import JarReranker  # noqa: E402

QUESTION = "Which clients have loans?"
TABLES = ("library.loans", "bank.loan", "retail.loyalty_cards", "bank.client", "bank.disposition", "bank.card")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the LanceDB tables are."""
    return tmp_path_factory.mktemp("lance")


@pytest.fixture(scope="module")
def rows(lake_index: Index, folder: Path) -> Any:
    """A LanceDB table with a row for each of the tables."""
    vectors = lake_index.embedder(TABLES)
    data = [
        {"table": table, "text": f"clients or loans? {table}", "vector": vector, "number": number}
        for number, (table, vector) in enumerate(zip(TABLES, vectors, strict=True))
    ]
    table = lancedb.connect(folder).create_table("rows", data)
    table.create_index("text", config=FTS())
    return table


@pytest.fixture(scope="module")
def vector(lake_index: Index) -> list[float]:
    """The vector of the question."""
    return [float(number) for number in lake_index.embedder([QUESTION])[0]]


@pytest.fixture(scope="module")
def answer(lake_index: Index) -> Any:
    """What the re-ranker says."""
    return Reranker(lake_index).rank(QUESTION, 3, candidates=TABLES)


@pytest.fixture
def searches(rows: Any, vector: list[float]) -> dict[str, Any]:
    """The three kinds of search, each of which finds all rows."""
    return {
        "vector": rows.search(vector).limit(9),
        "full-text": rows.search(QUESTION, query_type="fts").limit(9),
        "hybrid": rows.search(query_type="hybrid").vector(vector).text(QUESTION).limit(9),
    }


def reranked(search: Any, reranker: JarReranker) -> Any:
    """A search with a reranker; one by vector is told the question."""
    return (
        search.rerank(reranker, query_string=QUESTION) if "Vector" in type(search).__name__ else search.rerank(reranker)
    )


@pytest.mark.parametrize("kind", ["vector", "full-text", "hybrid"])
def test_the_rows_of_the_chosen_tables_come_in_the_order_of_the_answer(
    lake_index: Index, rows: Any, searches: Any, answer: Any, kind: str
) -> None:
    """Each search returns the rows as they are, with the new score and what the answer says of the table."""
    found = reranked(searches[kind], JarReranker(lake_index, 3)).to_arrow()
    assert found["table"].to_pylist() == list(answer.tables)
    assert found["_relevance_score"].to_pylist() == pytest.approx([1, 1 / 2, 1 / 3])
    assert [told["contribution"] for told in found["_jar"].to_pylist()] == list(answer.scores)
    assert any(told["joins"] for told in found["_jar"].to_pylist())
    assert found.column_names == ["table", "text", "vector", "number", "_relevance_score", "_jar"]
    stored = rows.to_arrow()
    for name in stored.column_names:
        before = stored[name].take(found["number"]).to_pylist()
        assert found[name].to_pylist() == before
        assert found.schema.field(name).type == stored.schema.field(name).type


@pytest.mark.parametrize(
    ("kind", "scores"), [("vector", {"_distance"}), ("full-text", {"_score"}), ("hybrid", {"_distance", "_score"})]
)
def test_the_scores_of_the_search_are_kept_where_asked_for(
    lake_index: Index, searches: Any, kind: str, scores: set[str]
) -> None:
    """They are those of the same search without a reranker."""
    alone = {"_distance": searches["vector"].to_list(), "_score": searches["full-text"].to_list()}
    found = reranked(searches[kind], JarReranker(lake_index, 3, return_score="all")).to_list()
    for name in scores:
        before = {row["table"]: row[name] for row in alone[name]}
        assert [row[name] for row in found] == pytest.approx([before[row["table"]] for row in found])


def test_an_asynchronous_search_gives_the_same(
    lake_index: Index, folder: Path, rows: Any, vector: Any, answer: Any
) -> None:
    """LanceDB's own asynchronous queries call the reranker, too."""

    async def search() -> list[str]:
        table = await (await lancedb.connect_async(folder)).open_table(rows.name)
        query = table.query().nearest_to(vector).limit(9).rerank(JarReranker(lake_index, 3), query_string=QUESTION)
        return list((await query.to_arrow())["table"].to_pylist())

    assert asyncio.run(search()) == list(answer.tables)


def test_query_objects_ask_what_they_search_for(lake_index: Index, rows: Any, answer: Any) -> None:
    """The text of a match query is the question; a query without one is an error that says so."""
    reranker = JarReranker(lake_index, 3)
    match = MatchQuery(QUESTION, "text")
    assert rows.search(match).limit(9).rerank(reranker).to_arrow()["table"].to_pylist() == list(answer.tables)
    both = BooleanQuery([(Occur.MUST, match)])
    with pytest.raises(QueryError, match="a question is a text"):
        rows.search(both).limit(9).rerank(reranker).to_arrow()


def test_a_chosen_table_without_a_row_gets_one(lake_index: Index, searches: Any) -> None:
    """It holds the statement that makes the table, and nulls; without a column for it, there is no row."""
    reranker = JarReranker(lake_index, 3, require=["bank.account"])
    for kind in searches:
        made = next(row for row in reranked(searches[kind], reranker).to_list() if row["table"] == "bank.account")
        assert made["text"].startswith("CREATE TABLE account (")
        assert made["number"] is None
        assert made["_jar"]["table"] == "bank.account"
    without = JarReranker(lake_index, 3, require=["bank.account"], text=None)
    assert len(reranked(searches["vector"], without).to_list()) == 2


def test_a_search_that_finds_nothing_gives_nothing(lake_index: Index, rows: Any, vector: list[float]) -> None:
    """The columns are those of every answer."""
    nothing = rows.search(vector).where("number > 99").limit(9)
    found = nothing.rerank(JarReranker(lake_index), query_string=QUESTION).to_arrow()
    assert len(found) == 0
    assert found.column_names[-2:] == ["_relevance_score", "_jar"]


def test_rows_without_the_column_are_an_error(lake_index: Index) -> None:
    """It says which columns there are."""
    import pyarrow as pa

    found = pa.table({"name": ["bank.loan"], "text": ["amounts"]})
    with pytest.raises(QueryError, match=r"no column 'table': JarReranker\(column=...\) is one of \['name', 'text'\]"):
        JarReranker(lake_index).rerank_vector("loans", found)
