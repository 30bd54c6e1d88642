"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from formulations import CrushObjective, JarObjective, warm_up
from formulations.kernels.maker import one_at_a_time


def compile_searches(worker: int = 0) -> None:
    """Read the machine code of both searches, or make it: each of two workers begins with another one."""
    searches = [("tables", JarObjective()), ("columns", CrushObjective())]
    for name, objective in searches[worker % 2 :] + searches[: worker % 2]:
        with one_at_a_time(name):
            warm_up(objective)


def pytest_collection_finish() -> None:
    """Spare the collector what all tests import: it went through it again and again, a twentieth of their time."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Give the collector all back, since libraries tell at the end what was never freed."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def _own_cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What indexes of tests hold is not mapped in the folder of the user who runs them."""
    with pytest.MonkeyPatch.context() as changes:
        changes.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_searches(request: pytest.FixtureRequest) -> None:
    """In the workers of a parallel run all tests have machine code: plain Python searches a hundred times longer.

    Else only tests of the searches wait for a compiler.
    """
    worker = getattr(request.config, "workerinput", None)
    if worker is not None:
        compile_searches(int(worker["workerid"].removeprefix("gw")))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the public benchmark data: `JAR_DATA`, else `../shared/data` beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("JAR_DATA", beside))
    if not (folder / "spider").is_dir():
        pytest.skip(f"no benchmark data in {folder}; set JAR_DATA to the folder that holds spider/ and bird/")
    return folder
