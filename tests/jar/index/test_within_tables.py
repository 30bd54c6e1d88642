"""References to rows of the same table: what is counted, what it scores, and what the owner says of it."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, QueryError, Reranker
from jar.cli.main import main
from joinability.composite.within_tables import CONTAINED, FEWEST
from tests.jar.conftest import toy_embedder

MANAGERS = ("firm.employees.manager_id", "firm.employees.id")


def firm(**changes: list[object]) -> dict[str, pd.DataFrame]:
    """Employees with managers, and tasks that are theirs."""
    employees = {
        "id": list(range(1, 31)),
        "name": [f"Employee {number}" for number in range(30)],
        "manager_id": [None, None, *(1 + number % 7 for number in range(28))],
    }
    tasks = {"id": list(range(100, 140)), "employee_id": [1 + number % 30 for number in range(40)]}
    employees |= {name: values for name, values in changes.items() if len(values) == 30}
    tasks |= {name: values for name, values in changes.items() if len(values) == 40}
    return {"firm.employees": pd.DataFrame(employees), "firm.tasks": pd.DataFrame(tasks)}


def build(frames: dict[str, pd.DataFrame], path: Path | None = None) -> Index:
    return Index.build(Catalog.from_frames(frames), path=path, embedder=toy_embedder, progress=False)


def within(index: Index, least: float = 0) -> dict[tuple[str, str], float]:
    """The edges of tables with themselves."""
    return {
        (edge.left, edge.right): edge.score for edge in index.join_graph(least) if edge.left_table == edge.right_table
    }


@pytest.mark.parametrize("seed", range(6))
def test_values_are_counted_as_sets(seed: int) -> None:
    """The score is (|A n B| / (|A| + 0.3)) u^4 with the values of both columns."""
    draw = random.Random(seed)
    ids = draw.sample(range(1000), 30 - seed)
    ids += draw.choices(ids, k=seed)  # so that the key is not unique
    managers = [draw.choice([*ids, draw.randrange(1000, 1100), None]) for _ in range(30)]
    index = build(firm(id=ids, manager_id=managers))
    held = {manager for manager in managers if manager is not None}
    expected = len(held & set(ids)) / (len(held) + 0.3) * (len(set(ids)) / 30) ** 4
    assert within(index).get(MANAGERS, 0.0) == pytest.approx(expected if expected >= 0.15 else 0, abs=1e-6)


def test_texts_need_most_of_their_values_in_the_key() -> None:
    """A column without a word for a key, whose types tell nothing, is told by its values alone."""
    codes = [f"code {number:03d}" for number in range(30)]
    inside = [codes[number % 10] for number in range(30)]
    for strange, is_told in ((0, True), (2, True), (4, False)):
        parents = [f"other {number}" if number < strange else code for number, code in enumerate(inside)]
        left = len({*parents} & {*codes})
        assert (left >= CONTAINED * len({*parents})) is is_told
        frames = {"firm.regions": pd.DataFrame({"code": codes, "parent": parents})}
        assert (("firm.regions.parent", "firm.regions.code") in within(build(frames))) is is_told
    few = [codes[number % (FEWEST - 1)] for number in range(30)]
    assert not within(build({"firm.regions": pd.DataFrame({"code": codes, "parent": few})}))


def test_a_column_that_refers_to_its_own_table_joins_no_other() -> None:
    """Departments have the ids of managers, too; a pin makes them join all the same."""
    frames = firm() | {"firm.departments": pd.DataFrame({"id": range(1, 11), "title": list("abcdefghij")})}
    index = build(frames)
    ends = [
        end for edge in index.join_graph(0) for end in (edge.left, edge.right) if edge.left_table != edge.right_table
    ]
    assert MANAGERS in within(index)
    assert MANAGERS[0] not in ends
    index.pin_join(MANAGERS[0], "firm.departments.id")
    assert [edge.score for edge in index.join_graph(0.9).between("employees", "departments")] == [1.0]


def test_pins_and_vetoes_are_on_them_too(tmp_path: Path) -> None:
    """A veto takes one away, a pin makes one certain; one column on both sides is refused."""
    index = build(firm(boss=[1 + number % 5 for number in range(30)]), tmp_path / "firm.jar")
    index.veto_join(*MANAGERS)
    assert MANAGERS not in within(index)
    index.unpin_join(*MANAGERS)
    index.pin_join("firm.employees.boss", "firm.employees.id")
    assert within(index)["firm.employees.boss", "firm.employees.id"] == 1.0
    assert within(Index.load(tmp_path / "firm.jar", embedder=toy_embedder)).keys() == within(index).keys()
    with pytest.raises(QueryError, match="stands on both sides; a pin is on two columns"):
        index.pin_join(MANAGERS[0], MANAGERS[0])


def test_what_a_type_beside_it_tells_is_no_plain_reference() -> None:
    """A comment on a post or on a comment: its parent is joined with the type alone."""
    kind = ["Post", "Comment"] * 20
    comments = {"id": range(1, 41), "parent_type": kind, "parent_id": [1 + number % 15 for number in range(40)]}
    frames = {"blog.comments": pd.DataFrame(comments), "blog.posts": pd.DataFrame({"id": range(1, 31)})}
    told = {edge.condition for edge in build(frames).join_graph(0.5) if "parent_id" in edge.condition}
    key = "blog.comments.parent_id"
    assert told == {
        f"{key} = blog.posts.id AND blog.comments.parent_type = 'Post'",
        f"{key} = blog.comments.id AND blog.comments.parent_type = 'Comment'",
    }


def test_a_declared_key_of_several_columns_is_one_edge() -> None:
    """Its parts are no joins, and join others as before."""
    script = """CREATE TABLE company (company_code CHAR(2) PRIMARY KEY, name VARCHAR(40));
    CREATE TABLE gl_account (company_code CHAR(2), account_no INTEGER, parent_account_no INTEGER,
        PRIMARY KEY (company_code, account_no), FOREIGN KEY (company_code, parent_account_no) REFERENCES gl_account);"""
    index = Index.build(Catalog.from_ddl(script, database="firm"), embedder=toy_embedder, progress=False)
    told = {edge.condition for edge in index.join_graph(0.5)}
    account = "firm.gl_account"
    whole = f"{account}.company_code = {account}.company_code AND {account}.parent_account_no = {account}.account_no"
    assert told == {whole, f"firm.company.company_code = {account}.company_code"}


def test_a_table_alone_has_a_list_of_joins() -> None:
    """Where nothing joins two tables, the list has the references within one, and all of its columns."""
    index = build({"firm.employees": firm()["firm.employees"]})
    assert index.joins()["condition"].tolist() == ["firm.employees.manager_id = firm.employees.id"]
    assert index.joins(min_score=0.999).columns.tolist() == index.joins().columns.tolist()


def test_a_pin_where_nothing_else_was_found() -> None:
    """It counts as one beside others."""
    script = "CREATE TABLE staff (id INTEGER PRIMARY KEY, badge INTEGER, buddy INTEGER);"
    index = Index.build(Catalog.from_ddl(script, database="firm"), embedder=toy_embedder, progress=False)
    index.pin_join("firm.staff.buddy", "firm.staff.badge")
    (edge,) = index.join_graph()
    assert (edge.score, edge.evidence["pinned"], edge.evidence["unverified"]) == (1.0, True, False)


def test_a_pin_on_a_column_that_is_gone_is_taken_back_by_its_short_name(tmp_path: Path) -> None:
    """As it was stated; a name of two pairs says which these are."""
    index = build(firm(boss=[1 + number % 5 for number in range(30)]), tmp_path / "firm.jar")
    index.pin_join("employees.boss", "employees.id")
    without = build(firm(), tmp_path / "firm.jar")
    assert without.verdicts()["in_index"].tolist() == [False]
    without.unpin_join("employees.id", "employees.boss")
    assert len(without.verdicts()) == 0


def test_a_declared_key_is_certain() -> None:
    """Its name need say nothing, and no rows be there."""
    script = "CREATE TABLE animals (id INT PRIMARY KEY, dam INT REFERENCES animals (id), sire_id INT, parent_id INT);"
    index = Index.build(Catalog.from_ddl(script, database="farm"), embedder=toy_embedder, progress=False)
    assert within(index) == pytest.approx(
        {("farm.animals.dam", "farm.animals.id"): 1.0, ("farm.animals.parent_id", "farm.animals.id"): 0.8}
    )


def test_the_shell_an_answer_and_the_sql_tell_them(tmp_path: Path) -> None:
    """Behind the joins between tables; they connect nothing and are in no path."""
    index = build(firm(), tmp_path / "firm.jar")
    listed = CliRunner().invoke(main, ["joins", str(tmp_path / "firm.jar"), "--table", "employees"])
    (row,) = [line for line in listed.output.splitlines() if "manager_id" in line]
    assert row.endswith("same table")
    answer = Reranker(index).rank("employees and their tasks", k=2)
    condition = "firm.employees.manager_id = firm.employees.id"
    assert [join.condition for join in answer.more_joins] == [condition]
    assert f"also {condition} of another row" in str(answer)
    assert f"{condition} of another row" in answer.explain()
    assert "-- employees.manager_id = employees.id  (of another row)" in answer.to_sql_context()
    assert "employees.manager_id" not in {edge.left for edge in index.join_graph().path("tasks", "employees").edges}  # type: ignore[union-attr]
    alone = Reranker(index).rank("employees", k=1, exclude=["tasks"])
    assert (alone.joins, len(alone.more_joins), alone.connected) == ((), 1, True)
    assert f"{condition} of another row: score" in alone.explain()
    forbidden = Reranker(index).rank("employees", k=1, exclude=["tasks"], forbid_joins=[MANAGERS])
    assert not forbidden.more_joins


def test_a_refresh_looks_anew(tmp_path: Path) -> None:
    """Managers who left, and a column that is no longer there."""
    path = tmp_path / "firm.jar"
    before = within(build(firm(), path))[MANAGERS]
    gone = build(firm(manager_id=[500 + number for number in range(30)]), path)
    assert MANAGERS not in within(gone)
    assert within(build(firm(), path))[MANAGERS] == before
    frames = firm()
    frames["firm.employees"] = frames["firm.employees"].drop(columns="manager_id")
    assert not within(build(frames, path))
