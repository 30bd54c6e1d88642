"""Compiles the solvers once, before any test that hypothesis would call slow."""

from __future__ import annotations

import pytest

from formulations import warm_up


@pytest.fixture(scope="session", autouse=True)
def _compiled_solvers() -> None:
    warm_up()
