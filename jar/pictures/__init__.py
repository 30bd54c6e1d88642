"""Pictures of answers, join graphs and fits, drawn with matplotlib, which is an extra: one function a file."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jar.pictures.join_graph_picture import plot_join_graph
    from jar.pictures.reliability_picture import plot_reliability
    from jar.pictures.selection_picture import plot_selection

_HOME = {
    "plot_join_graph": "jar.pictures.join_graph_picture",
    "plot_reliability": "jar.pictures.reliability_picture",
    "plot_selection": "jar.pictures.selection_picture",
}

__all__ = ["plot_join_graph", "plot_reliability", "plot_selection"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jar.pictures' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
