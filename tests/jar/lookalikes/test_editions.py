"""Editions: tables whose names differ in numbers alone, of which a question asks for some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jar import Catalog, Index, Reranker
from jar.lookalikes.editions import Editions
from jar.lookalikes.sharded import asked_numbers
from joinability.schema import Column, Table

COLUMNS = ("geo_id", "population", "income", "households")


def tables(names: Sequence[str], columns: Sequence[str] = COLUMNS) -> list[Table]:
    """Tables of one database; each has a column of its own year beside the common ones."""
    return [Table("acs", name, [*(Column(one, "TEXT") for one in columns), Column(f"of_{name}")]) for name in names]


COUNTIES = tables(["county_2015_1yr", "county_2015_5yr", "county_2017_5yr", "county_2018_5yr", "state_2015_5yr"])


def unasked(question: str, relevance: Sequence[float] = (0, 0, 0, 0, 0), excluded: Sequence[int] = ()) -> set[int]:
    """Those of `COUNTIES` that a question does not ask for."""
    return set(Editions.of(COUNTIES).unasked(question, np.array(relevance, dtype=float), excluded))


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("5-year income from 2015 to 2018", {1, 3}),
        ("5-year income between 2015 and 2018", {1, 2, 3}),
        ("5-year income in 2015-2017", {1, 2}),
        ("1-year income of counties in 2015", {0}),
        ("income of counties in 2017", {2}),
    ],
)
def test_the_numbers_of_the_question_choose(question: str, left: set[int]) -> None:
    """The state table is alone, so never unasked for."""
    assert unasked(question) == {0, 1, 2, 3} - left


def test_of_editions_with_the_same_numbers_the_most_relevant_is_asked_for() -> None:
    """In 2015 there are two editions; without a number one of all is left, without those that are excluded."""
    assert unasked("income in 2015", [1, 2, 3, 4, 0]) == {0, 2, 3}
    assert unasked("income in 2015", [2, 1, 3, 4, 0]) == {1, 2, 3}
    assert unasked("income of counties", [2, 1, 3, 4, 0]) == {0, 1, 2}
    assert unasked("income of counties", [2, 1, 3, 4, 0], excluded=[3]) == {0, 1}


@pytest.mark.parametrize(
    ("question", "together"),
    [
        ("How did the 5-year income of counties change from 2015 to 2018?", {1, 3}),
        ("How did the 5-year income of counties change between 2015 and 2018?", {1, 3}),
        ("5-year income of counties between 2015 and 2018", {1, 2, 3}),
        ("5-year income of counties by year, change between 2015 and 2018", {1, 2, 3}),
        ("Compare 2015-2018 for counties, 5-year, with the jobs of 2017", {1, 2, 3}),
        ("5-year income of counties in 2017", set()),
        ("income of the 5 counties with 1 household", set()),
        ("income of counties", set()),
    ],
)
def test_editions_are_asked_for_together_by_their_dates(question: str, together: set[int]) -> None:
    """Of candidates in another order than the tables, one of which is no edition."""
    candidates = np.array([4, 3, 2, 1, 0])
    groups = Editions.of(COUNTIES).together(question, candidates, np.zeros(5))
    assert set(candidates[groups == 0].tolist()) == together
    assert (groups[groups != 0] == -1).all()


def test_of_editions_of_one_year_the_more_relevant_is_asked_for_together_with_others() -> None:
    """The county of 2015 is there for one year and for five; what is no candidate is never asked for."""
    editions = Editions.of(COUNTIES)
    assert editions.together("2015 and 2017", np.arange(5), np.array([2.0, 1, 0, 0, 0])).tolist() == [0, -1, 0, -1, -1]
    assert editions.together("2015 and 2017", np.arange(5), np.array([1.0, 2, 0, 0, 0])).tolist() == [-1, 0, 0, -1, -1]
    assert editions.together("2015 and 2017", np.array([0, 3]), np.zeros(2)).tolist() == [-1, -1]


def test_more_editions_than_a_few_are_asked_for_by_a_time() -> None:
    """Six years are a time that one table may tell as well."""
    years = tables([f"sales_{year}" for year in range(2010, 2017)])
    editions = Editions.of(years)
    assert (editions.together("sales in 2010-2014", np.arange(7), np.zeros(7)) == 0).sum() == 5
    assert (editions.together("sales in 2010-2015", np.arange(7), np.zeros(7)) == -1).all()


def test_an_answer_has_all_editions_that_are_compared() -> None:
    """One year alone was the likeliest set before; the sum of two years needs no table between them."""
    script = (
        "CREATE TABLE budget_2022 (dept_id INT, amount INT, approved_by TEXT);"
        "CREATE TABLE budget_2023 (dept_id INT, amount INT, approved_by TEXT, comment TEXT);"
        "CREATE TABLE departments (dept_id INT PRIMARY KEY, name TEXT);"
        "CREATE TABLE employees (emp_id INT PRIMARY KEY, name TEXT, dept_id INT REFERENCES departments(dept_id));"
        "CREATE TABLE zip_codes_2017 (geo_id TEXT, population INT, median_income INT);"
        "CREATE TABLE zip_codes_2018 (geo_id TEXT, population INT, median_income INT, rent INT);"
        "CREATE TABLE zip_codes_2019 (geo_id TEXT, population INT, median_income INT, rent INT);"
    )
    reranker = Reranker(Index.build(Catalog.from_ddl(script, database="town"), embedder="distilled"))
    of_zip_codes = set(reranker.rank("Which zip codes gained population between 2017 and 2019?", k="auto").tables)
    assert of_zip_codes == {"town.zip_codes_2017", "town.zip_codes_2019"}
    spent = reranker.rank("What was spent in total in 2022 and 2023?", k="auto")
    assert set(spent.tables) == {"town.budget_2022", "town.budget_2023"}
    assert reranker.rank("What was spent in 2023?", k="auto").tables == ("town.budget_2023",)


def test_what_is_no_edition() -> None:
    """Other columns, names without a word, other words, another database."""
    other = [*tables(["trips_2015"]), *tables(["trips_2016"], ["tree", "height", "species"])]
    assert not Editions.of(other).groups
    assert not Editions.of(tables(["T0412", "T0413"])).groups
    assert not Editions.of(tables(["county_2015", "state_2015"])).groups
    twins = [Table(name, "county_2015", COUNTIES[0].columns) for name in ("one", "two")]
    assert not Editions.of(twins).groups


@given(
    st.lists(st.sampled_from(["2015", "2016", "20160301", "20160402"]), unique=True, min_size=2),
    st.sets(st.sampled_from(["2015", "2016", "3"])),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
)
def test_one_edition_at_least_is_asked_for(numbers: list[str], asked: set[str], relevance: list[int]) -> None:
    """As brute force: each number of the question that names some has its best one, or all together have one."""
    scores = np.array(relevance[: len(numbers)], dtype=float)
    left = set(range(len(numbers))) - set(
        Editions.of(tables([f"log_{number}" for number in numbers])).unasked(" ".join(asked), scores)
    )
    named = {
        number: next((one for one in (number, number[:6], number[:4]) if one in asked), "") for number in numbers
    }
    keys = set(filter(None, named.values())) or {""}
    for key in keys:
        having = [place for place, number in enumerate(numbers) if named[number] == key]
        best = max(having, key=lambda place: (scores[place], -place))
        assert best in left
    assert len(left) == len(keys)


def test_spans_and_dates_are_numbers_of_names() -> None:
    """Years between two, dates without dashes; the years of "from ... to" are two."""
    assert {"2012", "2013", "2014"} <= asked_numbers("between 2012 and 2014")
    assert "2013" not in asked_numbers("from 2012 to 2014")
    assert "2013" not in asked_numbers("in 2012 and 2014")
    assert "20160801" in asked_numbers("on 2016-08-01")
    assert asked_numbers("between 2015 and 2012") == asked_numbers("2015, 2012") - {"2013"}


def test_a_set_has_the_editions_that_the_question_asks_for() -> None:
    """Others come after them, and come back where the weight is 0."""
    index = Index.build(
        Catalog([*tables([f"county_{year}_5yr" for year in range(2009, 2019)]), *tables(["county_names"])]),
        embedder=lambda texts: np.array([[1.0, len(text) % 3] for text in texts]),
    )
    question = "By how much did the population of counties rise from 2012 to 2017?"
    chosen = Reranker(index).rank(question, k=2).tables
    assert set(chosen) == {"acs.county_2012_5yr", "acs.county_2017_5yr"}
