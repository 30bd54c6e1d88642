"""An index of the shop whose tables are not called what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from jar import Index
from tests.jar.conftest import toy_embedder
from tests.jar.fitting.fitting_shop import shop_catalog


@pytest.fixture
def shop(tmp_path: Path) -> Index:
    """An index of the shop that a test may write to."""
    return Index.build(shop_catalog(), path=tmp_path / "shop.jar", embedder=toy_embedder, progress=False)
