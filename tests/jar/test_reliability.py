"""What is promised of bad luck and bad input, tried in numbers with a fixed seed: docs/reliability.md."""

from __future__ import annotations

import json
import multiprocessing
import random
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formulations import FormulationError, Instance, load_problem, solve, verify
from jar import Index, JarError, Reranker
from jar.index.open_sources import open_sources
from jar.sample import write_sample_lake
from joinability import JoinabilityError
from tests.jar.conftest import toy_embedder

SEED = 20_260
KILLS = {"index": 7, "refresh": 7, "pin": 6}
CORRUPTED, HOSTILE, MUTATED, QUESTIONS = 200, 500, 1_000, 100


def states(path: Path) -> tuple[Any, ...]:
    """What tells two indexes apart: their tables, how many joins they have, and what is stated."""
    index = Index.load(path, embedder=toy_embedder)
    return tuple(index.tables()["id"]), len(index.joins()), tuple(map(tuple, index.verdicts().to_numpy().tolist()))


def work_on(code: str, ready: Any) -> None:
    ready.set()
    exec(code, {})
    time.sleep(60)


def killed(code: str, seconds: float) -> None:
    """Run a program and end it without warning after so many seconds of work; a server has done its imports."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["jar", "duckdb", "pyarrow", "pandas", "tests.jar.conftest", __name__])
    ready = context.Event()
    process = context.Process(target=work_on, args=(code, ready))
    process.start()
    assert ready.wait(60)
    time.sleep(seconds)
    process.kill()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("work", KILLS)
def test_a_kill_leaves_the_old_or_the_new_index(tmp_path: Path, work: str) -> None:
    """At moments drawn at random; and the next run, uninterrupted, gives the new one."""
    chance = random.Random(SEED)
    write_sample_lake(tmp_path / "lake")
    build = "Index.build(Catalog.from_files({lake!r}), path={path!r}, embedder=toy_embedder, progress=False)"
    pin = "Index.load({path!r}, embedder=toy_embedder).veto_join('bank.card', 'bank.loan')"
    start = (
        "from jar import Catalog, Index\nfrom tests.jar.conftest import toy_embedder\nimport duckdb, pyarrow, pandas\n"
    )
    lake, small = str(tmp_path / "lake"), str(tmp_path / "lake" / "bank")
    step = {"index": build, "refresh": build, "pin": pin}[work]

    old = tmp_path / "old.jar"
    if work != "index":
        exec(start + build.format(lake=small if work == "refresh" else lake, path=str(old)), {})

    def prepared(path: Path) -> str:
        if old.exists():
            shutil.copy(old, path)
        return step.format(lake=lake, path=str(path))

    done = tmp_path / "done.jar"
    code = prepared(done)
    before = states(done) if old.exists() else None
    began = time.perf_counter()
    exec(start + code, {})
    duration = time.perf_counter() - began
    after = states(done)
    for number in range(KILLS[work]):
        path = tmp_path / f"{number}.jar"
        code = prepared(path)
        killed(f"{start}\n{code}", chance.random() * duration)
        assert (states(path) if path.exists() else None) in (before, after)
        exec(start + code, {})
        assert states(path) == after


def test_damaged_index_files_are_refused_or_read_whole(lake_index: Index, tmp_path: Path) -> None:
    """Bytes changed, cut out, swapped or doubled: either `JarError`, or the answer of the whole file; never a crash."""
    chance = random.Random(SEED)
    whole = lake_index.path.read_bytes()
    expected = Reranker(lake_index).rank("Which clients have loans?", 3).tables
    path, refused = tmp_path / "a.jar", 0
    for _ in range(CORRUPTED):
        content = bytearray(whole)
        place, length = chance.randrange(len(content)), chance.choice([1, 8, 512, 40_000])
        match chance.randrange(4):
            case 0:
                content[place : place + length] = chance.randbytes(length)
            case 1:
                del content[place : place + length]
            case 2:
                del content[place:]
            case _:
                content[place : place + length] = content[:length]
        path.write_bytes(content)
        try:
            index = Index.load(path, embedder=toy_embedder)
            assert Reranker(index).rank("Which clients have loans?", 3).tables == expected
        except JarError:
            refused += 1
        assert path.read_bytes() == bytes(content)
    assert refused > CORRUPTED / 2


WORDS = [
    "id", "", "a,b", '"', '""', "\n", "\r\n", "\0", "\x1b[2J", "é", "名", "\ud800", "'; DROP TABLE x; --",
    "CREATE TABLE", "(", ")", ";", "--", "/*", "*/", "NULL", "1e999", "-0", "007", "{", "}", "[", "]", ":",
    "\t", "\u2028", "%s", "$1", "SELECT", "PRIMARY KEY", "REFERENCES", "INTEGER", "x" * 3000, "\ufeff", "sep=;",
]  # fmt: skip


def test_hostile_files_are_read_or_told(tmp_path: Path) -> None:
    """Texts of all that trips parsers, as CSV, TSV, JSON, DDL and names of files: tables or causes, no other error."""
    chance = random.Random(SEED)
    lake = tmp_path / "lake"
    lake.mkdir()
    (lake / "ok.csv").write_text("id\n1\n")
    kinds = [".csv", ".tsv", ".json", ".jsonl", ".sql", ".parquet", ".feather", ".xlsx", ".db", ".duckdb", ".csv.gz"]
    for number in range(HOSTILE):
        text = "".join(chance.choices([*WORDS, ",", ",", "\n"], k=chance.randrange(60)))
        odd = chance.choice(WORDS).encode("utf-8", "replace")[:40].replace(b"/", b"").replace(b"\0", b"")
        name = f"f{number}{odd.decode()}{chance.choice(kinds)}"
        (lake / name).write_bytes(text.encode(chance.choice(["utf-8", "utf-16"]), "replace"))
    catalog = open_sources([lake])
    told = {str(Path(path)) for path, _ in (*catalog.failures, *catalog.skipped)}
    assert len(told) + len(catalog) > HOSTILE / 2
    index = Index.build(catalog, path=tmp_path / "a.jar", embedder=toy_embedder, progress=False)
    assert "lake.ok" in set(index.tables()["id"])
    assert str(Reranker(index).rank("id", 3))


def mutated(document: Any, chance: random.Random) -> Any:
    """A JSON document with one value, somewhere in it, replaced."""
    odd = [None, -1, 0, 1e308, -1e308, 5e-324, "x", "", [], {}, True, 10**30, [[]], ["a", "a"], "NaN", 3.5]
    if isinstance(document, dict) and document and chance.random() < 0.85:
        key = chance.choice(sorted(document))
        return {**document, key: mutated(document[key], chance)}
    if isinstance(document, list) and document and chance.random() < 0.7:
        place = chance.randrange(len(document))
        return [*document[:place], mutated(document[place], chance), *document[place + 1 :]]
    return chance.choice(odd)


def test_mutated_instances_are_solved_or_refused(tmp_path: Path) -> None:
    """Each file with a value or several replaced: a solution that verifies, or an error that names what is wrong."""
    chance, numbers = random.Random(SEED), np.random.default_rng(SEED)
    upper = np.triu(numbers.random((7, 7)), 1)
    whole = Instance(numbers.random(7), numbers.random((3, 7)), upper + upper.T, 3, require=[1], exclude=[5])
    document = json.loads(json.dumps(whole.to_dict()))
    document["objective"] = {"name": "jar", "coarse": 10, "fine": 2, "coverage": 8, "join": 1, "connect": "prefer"}
    path, solved, refused = tmp_path / "i.json", 0, 0
    for _ in range(MUTATED):
        changed = document
        for _ in range(chance.choice([1, 1, 2, 4])):
            changed = mutated(changed, chance)
        path.write_text(json.dumps(changed))
        try:
            instance, objective = load_problem(path)
            verify(instance, objective, solve(instance, objective))
            solved += 1
        except FormulationError:
            refused += 1
    assert solved + refused == MUTATED
    assert min(solved, refused) > MUTATED / 20


def test_hostile_questions_are_answered_or_refused(lake_index: Index) -> None:
    """Whatever a question, a sub-query or a name holds: an answer in whole lines, or an error of the package."""
    chance = random.Random(SEED)
    reranker = Reranker(lake_index)
    answered = 0
    for _ in range(QUESTIONS):
        text = "".join(chance.choices(WORDS, k=chance.randrange(8)))
        try:
            answer = reranker.rank(text, chance.choice([1, 5, 50]), subqueries=[chance.choice(WORDS)])
            json.dumps(answer.to_dict(), allow_nan=False)
            assert len(str(answer).splitlines()) > 2
            answered += 1
            reranker.rank("loans", require=[text])
        except (JarError, JoinabilityError, FormulationError):
            continue
    assert answered > QUESTIONS / 2
