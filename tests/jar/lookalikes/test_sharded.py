"""Families of sharded tables: which tables are one, which of them stands for it, and how answers tell it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jar import Catalog, Index, Reranker
from jar.lookalikes.sharded import Families
from joinability.schema import Column, Table


def named(names: Sequence[str], columns: Sequence[str] = ("id", "amount")) -> list[Table]:
    """Tables of one database with equal columns."""
    return [Table("web", name, [Column(column, "TEXT") for column in columns]) for name in names]


@given(st.lists(st.from_regex(r"[ab][0-9]{0,2}", fullmatch=True), unique=True, max_size=12))
def test_families_are_those_of_comparing_all_pairs(names: list[str]) -> None:
    """Two tables are in one family where their names without digits agree at each place; three make one."""
    found = {frozenset(members) for members in Families.of(named(names)).members.values()}
    alike: dict[int, set[int]] = {place: {place} for place in range(len(names))}
    for left, right in itertools.combinations(range(len(names)), 2):
        if re.sub(r"\d+", "#", names[left]) == re.sub(r"\d+", "#", names[right]) and re.search(r"\d", names[left]):
            alike[left].add(right)
            alike[right].add(left)
    assert found == {frozenset(group) for group in alike.values() if len(group) >= 3}


def test_the_numbers_of_the_question_choose() -> None:
    """The first stands for all, unless the question has the number of others, or the caller says so."""
    families = Families.of(named(["events_2022", "events_2021", "events_2023", "users"]))
    assert families.members == {1: (1, 0, 2)}
    assert families.asked("How many events?").hidden == [0, 2]
    assert families.asked("How many events in 2023?").hidden == [1, 0]
    assert families.asked("How many events in 2021 and 2022?").hidden == [2]
    assert families.asked("How many events?", kept=[2]).hidden == [1, 0]
    assert families.asked("How many events?", excluded=[1]).hidden == [2]
    assert Families.of(named(["part1", "part2"])).members == {}


def test_dates_in_words_and_times_of_some_days_choose() -> None:
    """A day in words is that of a shard, written together or apart; a month is a monthly one, a time all its days."""
    days = Families.of(named([f"events_2024010{day}" for day in range(1, 7)]))
    for told in ("2024-01-03", "3 January 2024", "Jan 3rd, 2024", "the 3rd of Jan. 2024"):
        assert days.asked(f"errors on {told}").hidden == [0, 1, 3, 4, 5], told
    assert days.asked("errors between 2024-01-02 and 2024-01-04").hidden == [0, 4, 5]
    assert days.asked("errors from 4 January 2024 to January 5, 2024").hidden == [0, 1, 2, 5]
    assert days.asked("errors between 2023-01-02 and 2024-01-04").hidden == [0, 1, 2, 4, 5]
    apart = Families.of(named([f"events_2024_0{month}" for month in range(1, 5)]))
    assert apart.asked("errors in February 2024").hidden == apart.asked("on 2024-02-11").hidden == [0, 2, 3]


def test_a_month_or_a_year_means_its_days() -> None:
    """The first day of it stands for the others; numbers that are no dates do not begin with a year."""
    days = [f"events_{year}0{month}0{day}" for year in (2023, 2024) for month in (1, 2) for day in (1, 2, 3)]
    families = Families.of(named(days))
    asked = families.asked("errors in February 2024")
    assert asked.standing == {9: (9, 10, 11)}
    assert len(asked.hidden) == 11
    assert families.asked("errors in January and February 2024").standing == {6: (6, 7, 8), 9: (9, 10, 11)}
    assert families.asked("errors in 2023").standing == {0: (0, 1, 2, 3, 4, 5)}
    assert families.asked("errors on 2023-02-02").hidden == [place for place in range(12) if place != 4]
    other = Families.of(named([f"batch_{number}" for number in (202199, 202299, 202399)]))
    assert other.asked("rows of 2022").standing == {0: (0, 1, 2)}


def test_a_quarter_of_a_year_chooses() -> None:
    """By its letter, or in words."""
    quarters = Families.of(named(["orders_q1_2023", "orders_q2_2023", "orders_q3_2023", "orders_q2_2024"]))
    for told in ("Q2 2023", "the second quarter of 2023", "quarter 2, 2023"):
        assert sorted(quarters.asked(f"orders in {told}").hidden) == [0, 2, 3], told
    assert quarters.asked("orders in Q2").standing == {1: (1, 3)}


def test_a_number_that_all_have_tells_none_from_the_others() -> None:
    """All months of a year are one table where the question says the year alone, and so are those of one of two."""
    one_year = Families.of(named([f"orders_2024_{month:02}" for month in range(1, 7)]))
    for told in ("all orders since 2024 per currency", "orders in Q1 2024", "orders per currency"):
        assert one_year.asked(told).standing == {0: (0, 1, 2, 3, 4, 5)}
    two_years = Families.of(named([f"orders_{year}_{month:02}" for year in (2023, 2024) for month in (1, 2, 3)]))
    assert two_years.asked("orders of 2024") == ([0, 1, 2, 4, 5], {3: (3, 4, 5)})
    assert two_years.asked("orders of 2023 and of 2024").standing == {0: (0, 1, 2), 3: (3, 4, 5)}


def test_months_of_a_year_that_is_said_once_choose() -> None:
    """Two months, or those from one to another."""
    months = Families.of(named([f"orders_2024_{month:02}" for month in range(1, 7)]))
    for told, chosen in (
        ("from February to April 2024", {1, 2, 3}),
        ("between Feb. and April 2024", {1, 2, 3}),
        ("in February and April 2024", {1, 3}),
        ("in Jan-March 2024", {0, 1, 2}),
    ):
        assert set(range(6)) - set(months.asked(f"orders {told} by customer").hidden) == chosen, told


def test_a_family_is_one_table_to_a_question() -> None:
    """One place of the answer, told in the text, the explanation and the SQL; its texts are embedded once."""
    embedded: list[str] = []

    def embed(texts: list[str]) -> np.ndarray:
        embedded.extend(texts)
        return np.array([[1.0, len(text) % 7, "event" in text] for text in texts])

    tables = [*named([f"events_202401{day:02d}" for day in range(1, 21)]), *named(["users"], ["user_id", "email"])]
    index = Index.build(Catalog(tables), embedder=embed)
    assert len(embedded) < 20
    selection = Reranker(index).rank("Which events are there?", k=2)
    assert set(selection.tables) == {"web.events_20240101", "web.users"}
    told = "stands for 20 tables web.events_20240101 ... web.events_20240120"
    assert len(selection.families["web.events_20240101"]) == 20
    for text in (str(selection), selection.explain(), selection.to_sql_context()):
        assert told in text
    assert selection.to_dict()["families"].keys() == selection.families.keys()
    day = Reranker(index).rank("Which events were on 20240107?", k=1)
    assert day.tables == ("web.events_20240107",)
