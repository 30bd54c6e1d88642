"""What is told of sharded tables is what was chosen: members that somebody means stand for themselves."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.answers.selection import Selection
from tests.jar.conftest import toy_embedder

DAYS = [f"web.events_202401{day:02d}" for day in range(1, 7)]


@pytest.fixture(scope="module")
def reranker() -> Reranker:
    frames = {day: pd.DataFrame({"user": ["u1", "u2"], "event": ["buy", "look"]}) for day in DAYS}
    frames["web.users"] = pd.DataFrame({"user": ["u1", "u2", "u3"], "town": ["Bonn", "Rome", "Oslo"]})
    return Reranker(Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False))


def told(selection: Selection) -> Iterable[str]:
    return [member for members in selection.families.values() for member in members]


def test_excluded_members_are_not_told(reranker: Reranker) -> None:
    """A table stands for the members that are left."""
    assert told(reranker.rank("events of users", 2, exclude=DAYS[:4])) == DAYS[4:]


@pytest.mark.parametrize("question", ["events of 20240103", "events of 2024-01-03"])
def test_a_member_that_the_question_names_stands_for_itself(reranker: Reranker, question: str) -> None:
    """A number or a date of the question chooses the table that has it."""
    selection = reranker.rank(question, 1)
    assert selection.tables == (DAYS[2],)
    assert not selection.families


def test_members_that_the_caller_names_stand_for_themselves(reranker: Reranker) -> None:
    """Required and given tables are meant alone."""
    assert not reranker.rank("events of users", 2, require=[DAYS[1]]).families
    assert not reranker.rank("events of users", 2, candidates=[DAYS[1], "web.users"]).families


def test_what_is_kept_of_values_stays_as_it_was(tmp_path: Path) -> None:
    """A refresh that does not say what to keep keeps what the index has: nothing stays nothing."""
    catalog = Catalog.from_frames({"web.users": pd.DataFrame({"town": ["Bonn", "Rome"]})})
    path = tmp_path / "web.jar"
    Index.build(catalog, path=path, embedder=toy_embedder, values="off", progress=False)
    index = Index.build(catalog, path=path, embedder=toy_embedder, progress=False)
    assert not Reranker(index).rank("users from Bonn", 1).values
