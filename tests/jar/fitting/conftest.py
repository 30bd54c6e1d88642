"""An index of the shop whose tables are not called what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from jar import Index
from tests.jar.conftest import toy_embedder
from tests.jar.fitting.fitting_shop import shop_catalog


@pytest.fixture(scope="session")
def built_shop() -> Index:
    """An index of the shop."""
    return Index.build(shop_catalog(), embedder=toy_embedder, progress=False)


@pytest.fixture
def shop(built_shop: Index, tmp_path: Path) -> Index:
    """A copy that a test may write to."""
    built_shop.save(tmp_path / "shop.jar")
    return Index.load(tmp_path / "shop.jar", embedder=toy_embedder)
