"""References that two others imply: what refers to a subtype lies in the key of its supertype as well.

Where k refers to l', the key of employees, and l' refers to l, that of persons, the values of k are among those of l,
and its name may be that of l. Both speak for a reference from k to l that nobody made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from joinability.evidence.blocks import PairBlock
from joinability.evidence.traits import KEY_UNIQUENESS
from joinability.scores.odds import log_odds, supported
from joinability.sparse.sparse_rows import ranges

if TYPE_CHECKING:
    from joinability.arrays import Array, Indices
    from joinability.evidence.blocks import Vetoes
    from joinability.evidence.profiles import ColumnEvidence

IMPLIED = "implied"
"""Name of what chains take from the log-odds of a reference."""
ONE_NAME = 0.999
"""Similarity of headers above which two names are one, however they are spelt."""
CHANCE = 0.05
"""Chance at which a column of references to the supertype lies in the key of a subtype: rarer ones are no accident."""
MOST = 16
"""Likeliest references of a column among which chains are looked for, so that thousands of like keys cost no more."""


def implied(
    evidence: ColumnEvidence,
    child: Indices,
    parent: Indices,
    strength: Array,
    names: Array,
    vetoes: Vetoes | None = None,
) -> Array:
    """What chains of two references take from the log-odds of n references: at least 0, and 0 where there is no chain.

    A chain to k -> l is a reference k -> l' to a key, and a reference l' -> l that is likelier than l -> l'. With o the
    odds by the evidence on a pair alone, n the factor of them that comes from names, and t the `excess` of the values
    of k in l' over chance,

        o* = o_kl' max(1, min(exp(t), n_kl / n_kl'))   where k and l' have one name, else o_kl'
        implied = log(1 + max_l' (1 - exp(-t)) o* min(1, o* / o_kl))

    What one name says of l it says of both columns that have it, as far as the values stand against chance. How likely
    l' -> l is does not count: l' may as well refer to l by way of others.

    Parameters
    ----------
    evidence : ColumnEvidence
    child, parent : (n,) arrays of int
        All likely references of some columns, each once.
    strength : (n,) array
        Log-odds of each by the evidence on the pair alone.
    names : (n,) array
        The part of them that comes from names.
    vetoes : Vetoes, optional
        A vetoed pair is no part of a chain.
    """
    through, direct = _of_one_child(evidence, child, parent, strength)
    over = excess(evidence, child[through], parent[through], parent[direct])
    kept = np.flatnonzero(over > 0)
    through, direct, over = through[kept], direct[kept], over[kept]
    link = PairBlock(evidence, parent[through], parent[direct], vetoes)
    is_chain = supported(link) & (log_odds(link) > log_odds(link.reversed()))
    if vetoes is not None:
        is_chain &= ~vetoes.are_vetoed(link)
    one_name = PairBlock(evidence, child[through], parent[through]).header_similarity > ONE_NAME
    step = strength[through] + one_name * np.clip(names[direct] - names[through], 0, over)
    no_accident = -np.expm1(-over) * is_chain
    explained = np.zeros(len(child))
    np.maximum.at(explained, direct, no_accident * np.exp(step + np.minimum(0, step - strength[direct])))
    return np.log1p(explained)


def excess(evidence: ColumnEvidence, child: Indices, subtype: Indices, supertype: Indices) -> Array:
    """How far p children have more values in the key of a subtype than chance gives them, in nats beyond `CHANCE`.

    Of x values in the key l of the supertype, each is in the key l' of the subtype with probability q = |L' n L| / |L|,
    if they are drawn from l. That a share r > q of them is has at most the probability exp(-g) (Chernoff's bound), with

        g = x (r log(r / q) + (1 - r) log((1 - r) / (1 - q)))

    The excess is max(0, g + log(CHANCE)), and 0 where r <= q.

    Parameters
    ----------
    evidence : ColumnEvidence
        In which all values of these columns are known.
    child, subtype, supertype : (p,) arrays of int
    """
    in_supertype, in_subtype, common = (
        PairBlock(evidence, left, right).intersection.astype(np.float64)
        for left, right in ((child, supertype), (child, subtype), (subtype, supertype))
    )
    share = np.minimum(in_subtype / np.maximum(in_supertype, 1), 1)
    by_chance = common / np.maximum(evidence.distinct[supertype], 1)
    over = np.zeros(len(child))
    more = np.flatnonzero((share > by_chance) & (by_chance > 0))
    r, q = share[more], by_chance[more]
    rest = 1 - r
    nats = in_supertype[more] * (r * np.log(r / q) + rest * np.log(np.where(rest > 0, rest, 1) / (1 - q)))
    over[more] = np.maximum(nats + np.log(CHANCE), 0)
    return over


def _of_one_child(
    evidence: ColumnEvidence, child: Indices, parent: Indices, strength: Array
) -> tuple[Indices, Indices]:
    """Pairs of references k -> l' and k -> l, with l' a key, among the `MOST` likeliest of each child, values known."""
    usable = np.flatnonzero(~(evidence.incomplete[child] | evidence.incomplete[parent]))
    order = usable[np.lexsort((parent[usable], -strength[usable], child[usable]))]
    first = np.flatnonzero(np.diff(child[order], prepend=-1))
    length = np.minimum(np.diff(first, append=len(order)), MOST)
    order = order[ranges(first, length)]
    beside = np.repeat(length, length)
    through = np.repeat(np.arange(len(order)), beside)
    direct = ranges(np.repeat(np.cumsum(length) - length, length), beside)
    kept = (through != direct) & (evidence.uniqueness[parent[order]] >= KEY_UNIQUENESS)[through]
    return order[through[kept]], order[direct[kept]]
