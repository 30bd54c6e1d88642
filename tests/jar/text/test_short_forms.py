"""Short forms in names that a question explains: which these are, what they count, and what it is good for."""

from __future__ import annotations

import numpy as np
import pytest

from jar import Catalog, Index, Reranker
from jar.tables.fine_relevance import SHORT_FORM, with_short_forms
from jar.text.lexical import WordIndex, content_words
from jar.text.short_forms import ShortForms
from joinability.names import abbreviates
from joinability.schema import Column, Table
from joinability.spelling.common_words import word_ranks
from joinability.spelling.vocabulary import plain_words, singular
from tests.jar.conftest import toy_embedder

DDL = """
CREATE TABLE QX_BRK (BRK_ID INT, NM VARCHAR(80));
CREATE TABLE QX_VCL (VCL_ID INT, BRK_ID INT, LSD_AMT DECIMAL);
CREATE TABLE CAR (CAR_ID INT, QPLT VARCHAR(8));
CREATE TABLE WIDE (BRK_CD INT, PQR INT, XYZ INT, VWU INT, RST INT, GHK INT, DFG INT, BCD INT);
"""


@pytest.fixture(scope="module")
def index() -> Index:
    """Tables whose names no list of short forms explains."""
    return Index.build(Catalog.from_ddl(DDL, database="d"), embedder=toy_embedder, progress=False)


def test_a_common_word_is_no_short_form() -> None:
    """`car` begins "carrier" and `cat` "category", but both are words; two letters, digits, or few consonants are
    too vague."""
    forms = ShortForms(["car", "cat", "agt", "ag", "a1g", "agentur"])
    assert [forms.of(word) for word in ("carrier", "category", "agent", "agenturens")] == [(), (), ("agt",), ()]


def test_a_word_counts_where_its_short_form_stands() -> None:
    """Every table has the worth of the best of the forms that its names have: by a loop over tables and forms."""
    tables = [
        Table("d", "AGT_MST", [Column("AGT_ID"), Column("AGNT_NM")]),
        Table("d", "agent", [Column("agent_id"), Column("agt")]),
        Table("d", "CLMQ", [Column("AGNT_ID"), Column("X")]),
        Table("d", "other", [Column("name")]),
    ]
    words = WordIndex.of(tables)
    forms = ["agent", *words.short_forms.of("agent")]
    assert len(forms) > 1
    expected: dict[int, float] = {}
    for form in forms:
        place = words._place[form]
        for row in range(words._first[place], words._first[place + 1]):
            table, weight = int(words._table[row]), float(words._weight[row])
            expected[table] = max(weight, expected.get(table, 0.0))
    found, weights = words.weights("agent")
    assert dict(zip(found.tolist(), weights.tolist(), strict=True)) == expected
    assert words.match("agent")[3] == 0


def test_fine_relevance_with_short_forms_is_that_of_the_formula(index: Index) -> None:
    """Equation (8), by loops over sub-queries, words, columns and the parts of their names."""
    contents = index.contents
    subqueries = ["brokers", "leased amount of the broker", "cars", "vehicles"]
    columns = np.arange(int(contents.first_column[-1]))[::-1]
    fine = np.random.default_rng(0).uniform(-0.2, 1, (len(subqueries), len(columns)))
    expected = fine.copy()
    names = [name for table in contents.tables for name in table.column_names]
    for place, subquery in enumerate(subqueries):
        words = {singular(word) for word in content_words(subquery)}
        for at, column in enumerate(columns):
            parts = {singular(part) for part in plain_words(names[column])}
            short = {part for part in parts if 3 <= len(part) <= 6}
            unread = {part for part in short if word_ranks().get(part, 10**9) >= 12_000}
            hits = sum(any(abbreviates(part, word) for part in unread) for word in words)
            expected[place, at] += (1 - fine[place, at]) * SHORT_FORM * hits / len(words)
    found = with_short_forms(fine, contents, columns, subqueries)
    np.testing.assert_allclose(found, expected)
    assert not np.array_equal(found, fine)


def test_a_question_finds_what_its_words_are_short_for(index: Index) -> None:
    """The brokers' table comes first for brokers, and the column in short answers what was asked in full."""
    result = Reranker(index).rank("leased amount by broker of vehicles", 2)
    assert set(result.tables) == {"d.QX_BRK", "d.QX_VCL"}
    answers = {part.subquery: part.column for part in result.coverage}
    assert answers["leased amount"] == "d.QX_VCL.LSD_AMT"


def test_the_papers_relevance_reads_nothing_into_names(index: Index) -> None:
    """Without a weight of words, a column is as near as its vector says."""
    plain = Reranker(index, lexical=0, database=0, names=0, value=0, edition=0, relevance="cosine")
    (coverage,) = plain.rank("brokers", 1, subqueries=["brokers"], require=["d.QX_BRK"]).coverage
    vector = index.embedder(["brokers"])[0]
    assert coverage.score == pytest.approx(float((index.contents.column_vectors[np.arange(2)] @ vector).max()))
