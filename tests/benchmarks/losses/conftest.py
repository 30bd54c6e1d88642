"""The made corpus for the tests of this folder."""

from __future__ import annotations

from error_corpus import corpus, index

__all__ = ["corpus", "index"]
