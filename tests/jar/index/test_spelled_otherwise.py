"""Columns whose values are those of a key in another spelling: which they are, and that they join as the row says."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from jar import Catalog, Index
from jar.cli.main import main
from joinability.store.spelled_otherwise import spellings

PEOPLE = [f"{1000 + number * 149:06}" for number in range(60)]
DEPARTMENTS = ["PRK", "MAY", "PD", "LAW", "HLT", "FIN"]
FRAMES = {
    "city.employee": pd.DataFrame({"emp_id": PEOPLE, "name": [f"n{number}" for number in range(60)]}),
    "city.department": pd.DataFrame({"dept": DEPARTMENTS, "title": [f"t{place}" for place in range(6)]}),
    "city.permit": pd.DataFrame(
        {
            "permit": [f"bp{number}" for number in range(120)],
            "inspector": [int(text) for text in PEOPLE * 2],
            "dept": [text.lower() for text in DEPARTMENTS * 20],
            "clerk": PEOPLE * 2,
            "fee": [f"{number % 30 + 1:03}" for number in range(120)],
        }
    ),
    "city.ward": pd.DataFrame({"id": range(1, 41), "area": [number * 13 % 97 for number in range(40)]}),
}
FOUND = {
    ("city.permit.inspector", "city.employee.emp_id", "zeros"),
    ("city.permit.dept", "city.department.dept", "case"),
}


def index_of(ignore: list[str]) -> Index:
    return Index.build(Catalog.from_frames(FRAMES), embedder="distilled", ignore=ignore)


def rows(index: Index) -> set[tuple[str, ...]]:
    return set(index.spelled_otherwise().itertuples(index=False, name=None))


def test_what_is_spelled_as_no_key_is_found() -> None:
    """Not what is spelled as the key, nor `007` of a key that counts 1, 2, 3, ..., which has any number."""
    index = index_of([])
    assert rows(index) == FOUND
    joined = index.joins(min_score=0.5)
    pairs = {frozenset(pair) for pair in zip(joined["left"], joined["right"], strict=True)}
    assert not pairs & {frozenset(row[:2]) for row in FOUND}


def test_what_is_ignored_joins_and_is_told_no_more() -> None:
    """With the differences that the rows name the columns join."""
    assert {row[2] for row in rows(index_of(["case"]))} == {"zeros"}
    index = index_of(["case", "zeros"])
    assert not rows(index)
    joined = index.joins(min_score=0.5)
    pairs = {frozenset(pair) for pair in zip(joined["left"], joined["right"], strict=True)}
    assert pairs >= {frozenset(row[:2]) for row in FOUND}


def test_the_command_says_what_to_ignore(tmp_path: Path) -> None:
    """When it reads tables; not when nothing changed, nor when it is ignored."""
    for name, frame in FRAMES.items():
        frame.to_csv(tmp_path / f"{name.rpartition('.')[2]}.csv", index=False)
    arguments = ["index", str(tmp_path), "-o", str(tmp_path / "city.jar"), "--embedder", "distilled"]
    first, again = (CliRunner().invoke(main, arguments) for _ in range(2))
    assert "2 columns have values of a key in another spelling" in first.stderr
    assert "they join with --ignore case --ignore zeros" in first.stderr
    assert "spelling" not in again.stderr
    assert "spelling" not in CliRunner().invoke(main, [*arguments, "--ignore", "case", "--ignore", "zeros"]).stderr


@pytest.mark.parametrize(
    ("sample", "among"),
    [("PD", ("pd", "case")), ("0042", ("42", "zeros")), ("42", ("000042", "zeros")), ("0", ("00", "zeros"))],
)
def test_spellings_of_a_value(sample: str, among: tuple[str, str]) -> None:
    """As it is written first, and no spelling twice."""
    found = list(spellings(sample))
    assert found[0] == (sample, "")
    assert among in found
    assert len({text for text, _ in found}) == len(found)
