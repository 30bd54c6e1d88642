"""Compiles the solvers of the CRUSH objective once, before any test that hypothesis would call slow."""

from __future__ import annotations

import pytest

from formulations import CrushObjective, warm_up


@pytest.fixture(scope="session", autouse=True)
def _compiled_crush_solvers() -> None:
    warm_up(CrushObjective())
