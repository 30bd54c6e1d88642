"""Editions that a question asks for together: a set has all of them, or none."""

from __future__ import annotations

import numpy as np

from jar.arrays import Array, IntArray
from jar.learned.evidence import LINKED
from jar.learned.logistic import logsumexp

SPLIT = 8.0
"""What a set loses in log-odds for each group of editions of which it has some, and not all."""


def as_likely_as_the_best(odds: Array, together: IntArray) -> Array:
    """The log-odds of each candidate, shape (n,), for editions asked for together the greatest of their group.

    Parameters
    ----------
    odds : array (n,)
    together : array (n,)
        A number for each group of editions, -1 for every other candidate.
    """
    likely = odds.copy()
    for group in _groups(together):
        likely[together == group] = odds[together == group].max()
    return likely


def scores_together(apart: Array, terms: Array, likely: Array, together: IntArray, member: Array) -> Array:
    """The scores of sets, shape (N,), where editions of each group count as one table, and sets without some of them
    lose `SPLIT`: equation (12) of docs/set-model.md. All of them together weigh as much as before, so that nothing is
    said on whether anything fits.

    Parameters
    ----------
    apart, terms : arrays (N,)
        The scores of the sets where every edition counts for itself, and what their terms add where these are linked.
    likely : array (p,)
        Log-odds of the candidates, of `as_likely_as_the_best`.
    together : array (p,)
    member : array (N, p)
        1 where a candidate is in a set, else 0.
    """
    some = member.any(axis=1)
    scores = member @ counted_once(likely, together) + terms - SPLIT * groups_split(together, member)
    scores[some] += logsumexp(apart[some]) - logsumexp(scores[some])
    return np.where(some, scores, apart)


def counted_once(odds: Array, together: IntArray) -> Array:
    """The same divided among the editions of each group, so that all of them count as one table."""
    shares = np.ones(len(odds))
    for group in _groups(together):
        shares[together == group] = (together == group).sum()
    divided: Array = odds / shares
    return divided


def linked_together(joins: Array, together: IntArray) -> Array:
    """The joins (n, n) of the candidates, where editions asked for together are linked: their rows stand side by side,
    so that no table is needed between them."""
    alike = (together[:, None] == together) & (together >= 0)
    np.fill_diagonal(alike, False)
    linked: Array = np.where(alike, np.maximum(joins, LINKED), joins)
    return linked


def groups_split(together: IntArray, member: Array) -> Array:
    """Of how many groups each set has some editions but not all, shape (N,).

    Parameters
    ----------
    together : array (p,)
    member : array (N, p)
        1 where a candidate is in a set, else 0.
    """
    split = np.zeros(len(member))
    for group in _groups(together):
        having = member[:, together == group].mean(axis=1)
        split += (having > 0) & (having < 1)
    return split


def _groups(together: IntArray) -> IntArray:
    groups: IntArray = np.unique(together[together >= 0])
    return groups
