"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the public benchmark data: `JAR_DATA`, else `../shared/data` beside the checkout."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("JAR_DATA", beside))
    if not (folder / "spider").is_dir():
        pytest.skip(f"no benchmark data in {folder}; set JAR_DATA to the folder that holds spider/ and bird/")
    return folder
