"""The score of one pair of columns, by their names."""

from __future__ import annotations

import numpy as np

from joinability import JoinEvidence, default_score
from joinability.evidence.blocks import PairBlock


def pair_score(evidence: JoinEvidence, left: str, right: str) -> float:
    """The default score of two columns "table.column" of one database."""
    ids = [id_.partition(".")[2] for id_ in evidence.ids]
    block = PairBlock(evidence, np.array([ids.index(left)]), np.array([ids.index(right)]))
    return float(default_score(block, np.zeros(1, dtype=np.float32))[0])
