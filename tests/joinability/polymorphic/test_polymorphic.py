"""Polymorphic references: found and counted as a brute-force search does, scored, kept, and found anew."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import duckdb
import numpy as np
import pandas as pd
import pytest

from joinability import Catalog, EvidenceStore, JoinEdge, JoinGraph, Where, composite_joins, find_composites
from joinability.composite.composite import CompositeKey, load_composites
from joinability.polymorphic import search as search_module

Add = Callable[[Catalog], list[tuple[str, str]]]


def blog(seed: int = 0, orphans: int = 10) -> dict[str, pd.DataFrame]:
    """Comments on posts and photos, some of which are gone, and a log of what was changed."""
    generator = np.random.default_rng(seed)
    posts, photos = np.arange(1, 121), np.arange(1, 61)
    kind = generator.choice(["Post", "Photo"], 300)
    target = np.where(kind == "Post", generator.integers(1, 121 + orphans, 300), generator.integers(1, 61, 300))
    table = generator.choice(["posts", "photos", "comments"], 400)
    return {
        "blog.posts": pd.DataFrame({"id": posts, "title": [f"t{n % 7}" for n in posts]}),
        "blog.photos": pd.DataFrame({"id": photos, "caption": [f"c{n % 5}" for n in photos]}),
        "blog.comments": pd.DataFrame(
            {"id": range(1, 301), "commentable_type": kind, "commentable_id": target, "body": [f"b{n % 9}" for n in kind]}
        )
        if False
        else pd.DataFrame({"id": np.arange(1, 301), "commentable_type": kind, "commentable_id": target}),
        "blog.changes": pd.DataFrame(
            {"change": np.arange(5000, 5400), "table_name": table, "record_id": generator.integers(1, 61, 400)}
        ),
    }
