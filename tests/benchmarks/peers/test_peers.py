"""Join discovery side by side: the same question for all, answers counted as defined, and nobody stops the others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.peers import standings
from benchmarks.peers.databases import Database, prepare
from benchmarks.peers.packages import query_loop, this_package, together
from benchmarks.peers.pair_answers import quality, ranked
from benchmarks.peers.peer_rows import CONTESTANTS, OURS, Contestant, UnknownPeerError, chosen_contestants
from benchmarks.peers.worker import Worker


@pytest.fixture(scope="module")
def databases(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Database]:
    return prepare(data_folder, tmp_path_factory.mktemp("peers"), ["battle_death", "pets_1", "wta_1"])


def reference(*columns: str) -> frozenset[tuple[str, str]]:
    return frozenset((name.split(".")[0], name.split(".")[1]) for name in columns)


def test_copies_hold_the_rows_and_hide_the_references(databases: list[Database]) -> None:
    """A copy has the filled tables with types and primary keys, no foreign key, and the same rows in both forms."""
    battle, pets, tennis = databases
    assert battle.references == {
        reference("ship.lost_in_battle", "battle.id"),
        reference("death.caused_by_ship_id", "ship.id"),
    }
    assert len(pets.references) == 2
    assert battle.linked_tables == {frozenset(("ship", "battle")), frozenset(("death", "ship"))}
    assert not [table for reference_ in tennis.references for table, _ in reference_ if table == "rankings"]
    with closing(sqlite3.connect(battle.path)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert set(tables) == set(battle.frames) == {"battle", "ship", "death"}
        for table in tables:
            assert connection.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,)).fetchall() == []
            (rows,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
            assert len(battle.frames[table]) == rows > 0
        keys = connection.execute("SELECT name FROM pragma_table_info('ship') WHERE pk > 0").fetchall()
        assert keys == [("id",)]


def test_quality_is_counted_by_its_definition(tmp_path: Path) -> None:
    """Of two linked table pairs one has the reference first; of the first three pairs one is declared."""
    references = frozenset([reference("a.x", "b.id"), reference("a.y", "c.id"), reference("a.z", "c.id")])
    database = Database("d", tmp_path, tmp_path, references, 1, 1)
    silent = Database("none", tmp_path, tmp_path, frozenset(), 1, 1)
    answer = ranked(
        [
            (("a", "x"), ("b", "id"), 0.9),
            (("b", "name"), ("a", "x"), 0.8),
            (("c", "name"), ("a", "y"), 0.7),
            (("c", "id"), ("a", "y"), 0.6),
            (("a", "x"), ("a", "y"), 1.0),
        ]
    )
    found = quality([database, silent], {"d": answer})
    assert found == {"best pair": 50.0, "top": pytest.approx(100 / 3), "linked tables": 2, "databases": 1}
    assert quality([database], {}) == found | {"best pair": 0.0, "top": 0.0}


def test_this_package_finds_them(databases: list[Database]) -> None:
    """Without being told of any reference, the package ranks those of the small databases first."""
    answers = {database.name: this_package(database) for database in databases}
    found = quality(databases, answers)
    assert found["best pair"] > 70
    assert all(left[0] != right[0] for left, right, _ in answers["pets_1"])


def test_one_store_gives_the_answers_of_many(databases: list[Database]) -> None:
    """With all databases in one store the pairs within each have the scores that they have alone."""
    answers = together(databases)
    for database in databases:
        alone = {frozenset(pair[:2]): pair[2] for pair in this_package(database)}
        assert {frozenset(pair[:2]): pytest.approx(pair[2]) for pair in answers[database.name]} == alone


def test_the_loop_counts_what_sql_counts(databases: list[Database]) -> None:
    """Its score is the share of the child's values times the uniqueness of the parent, in the better direction."""
    scores = {frozenset((left, right)): score for left, right, score in query_loop(databases[0])}
    assert scores[reference("death.caused_by_ship_id", "ship.id")] == 1.0
    assert reference("ship.name", "battle.latin_commander") not in scores


@pytest.mark.parametrize("name", [name for name in CONTESTANTS if name != OURS])
def test_a_contestant_answers_in_its_process(databases: list[Database], name: str) -> None:
    """Each contestant that is installed gives scored pairs of columns of the database."""
    if not CONTESTANTS[name].is_installed:
        pytest.skip(f"needs {CONTESTANTS[name].distribution}: pip install {CONTESTANTS[name].distribution}")
    worker = Worker(name, databases[0])
    outcome = worker.ask(databases[1], 120)
    worker.close()
    known = {(table, column) for table, frame in databases[1].frames.items() for column in frame.columns}
    assert not outcome.failure
    assert {column for left, right, _ in outcome.answer for column in (left, right)} <= known
    assert outcome.seconds > 0


def test_failures_and_limits_are_outcomes(databases: list[Database], tmp_path: Path) -> None:
    """A contestant that breaks, or is too slow, is reported with the reason; the next database is answered."""
    worker = Worker("query-loop", databases[0])
    assert worker.ask(databases[2], 0.0).failure == "more than 0 s"
    assert worker.ask(databases[1], 120).failure == ""
    broken = Database("broken", tmp_path, tmp_path, frozenset(), 0, 0)
    assert "unable to open" in worker.ask(broken, 120).failure
    assert worker.ask(databases[1], 120).failure == ""
    worker.close()


def test_standings_compare_on_the_same_databases(databases: list[Database], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not installed is reported as such, and ours is counted on the databases that the other answered."""
    absent = Contestant("absent", "", this_package, "no_such_module", "no-such-distribution")
    chosen = [CONTESTANTS[OURS], CONTESTANTS["query-loop"], absent]
    all_in_one, ours, loop, missing = standings.compare(databases[:2], chosen, lambda message: None, limit=120)
    assert missing["failure"] == "not installed: pip install no-such-distribution"
    assert (ours["answered"], loop["answered"]) == (2, 2)
    assert loop["ours on the same"] == ours["metrics"] == all_in_one["metrics"]
    assert loop["our seconds on the same"] == ours["seconds"]
    assert ours["metrics"]["best pair"] >= loop["metrics"]["best pair"]


def test_unknown_contestants_are_refused() -> None:
    """A name that is not there is answered with those that are; ours always takes part."""
    with pytest.raises(UnknownPeerError, match="schema-linker"):
        chosen_contestants(["nobody"])
    assert [row.name for row in chosen_contestants(["datasketch"])] == [OURS, "datasketch"]
