"""Which column each probe means: a distribution over the columns of the catalog, and what follows for keys.

The entropy-guided similarity of CRUSH (`formulations.entropy_similarity`) looks at each probe alone. Two things that
everybody knows of questions on databases say more:

- The probes of one question mean columns of one database. With ``c_kd`` the cosine of probe k and column d, let the
  evidence of probe k for database b be ``l_kb = log sum_{d in b} exp(c_kd / t)``. Then

      p_kd  proportional to  exp(c_kd / t) * exp(consensus * mean_k' l_k'b(d)),   sum_d p_kd = 1                 (1)

  which is the posterior of a mixture: a database is drawn, then for each probe a column of it; `consensus` equal to
  the number of probes would be Bayes' rule for independent probes, 1 tempers it to what one probe is worth. A probe
  that is close to everything spreads its mass and counts for little, so that entropies need no place of their own.
- Columns that join tables are needed, and no question names them. The probability that a table is meant by some probe
  is ``u_T = 1 - prod_{d in T} prod_k (1 - p_kd)``, and a column is asked for as a key as far as it joins two such
  tables:

      p_join,d = joins * max_{d'} w_dd' u_T(d) u_T(d')                                                          (2)

  one more probe, with w the joinability of two columns. A table that links two such tables which do not join
  themselves is needed as well: with W the best joinability of the columns of two tables,

      v_B = bridges * max_{T, T'} W_BT W_BT' (1 - W_TT') u_T u_T',   and  1 - (1 - u_B) (1 - v_B)               (3)

  takes the place of u_B in equation 2 and in the order of tables.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from jar.arrays import Array, IntArray

MOST_ENDS = 40
"""Tables that others are tried as bridges between."""


def probe_posterior(
    cosines: npt.NDArray[np.floating], databases: IntArray, temperature: float, consensus: float
) -> Array:
    """Probability that a probe means a column, equation 1.

    Parameters
    ----------
    cosines : array (m, C)
        Of each probe with each column of the catalog.
    databases : array (C,)
        The database of each column, from 0 up.
    temperature : float > 0
        t: the lower, the more a probe counts for its nearest column alone.
    consensus : float >= 0
        How much the probes decide together on a database; 0: not at all.

    Returns
    -------
    array (m, C)
        Rows sum to 1.
    """
    logits = np.asarray(cosines, dtype=np.float64) / temperature
    if not logits.size:
        return logits
    if consensus > 0:
        evidence = _log_sums(logits, databases).mean(axis=0)
        logits = logits + consensus * evidence[databases]
    logits = logits - logits.max(axis=1, keepdims=True)
    weights = np.exp(logits)
    posterior: Array = weights / weights.sum(axis=1, keepdims=True)
    return posterior


def absence(posterior: Array) -> Array:
    """Probability that no probe means a column, ``prod_k (1 - p_kd)``, shape (C,)."""
    product: Array = np.prod(1.0 - posterior, axis=0)
    return product


def presence(posterior: Array, owners: IntArray, tables: int) -> Array:
    """Probability u_T that some probe means a column of a table, shape (tables,)."""
    missing = np.ones(tables)
    np.multiply.at(missing, owners, absence(posterior))
    return 1.0 - missing


def join_probe(joinability: Array, present: Array) -> Array:
    """How much each of n columns is asked for as a key, equation 2 with ``joins`` 1.

    Parameters
    ----------
    joinability : array (n, n)
        w, 0 where two columns do not join.
    present : array (n,)
        u of the table of each column.

    Returns
    -------
    array (n,)
        In [0, 1] for joinabilities in [0, 1].
    """
    if not len(present):
        return np.zeros(0)
    needed: Array = present * (joinability * present).max(axis=1)
    return needed


def bridge_presence(table_joinability: Array, present: Array) -> Array:
    """How much each of t tables is needed to link two others, equation 3 with ``bridges`` 1.

    Parameters
    ----------
    table_joinability : array (t, t)
        W, symmetric; the diagonal has no meaning.
    present : array (t,)
        u of each table. Only the `MOST_ENDS` most probable tables count as ends.

    Returns
    -------
    array (t,)
        In [0, 1] for joinabilities in [0, 1].
    """
    joins = table_joinability * (1.0 - np.eye(len(present)))
    ends = np.argsort(-present, kind="stable")[:MOST_ENDS]
    reach = joins[:, ends] * present[ends]
    apart = 1.0 - joins[np.ix_(ends, ends)] - np.eye(len(ends))
    linked: Array = (reach[:, :, None] * reach[:, None, :] * apart).max(axis=(1, 2), initial=0.0)
    return linked


def _log_sums(logits: Array, groups: IntArray) -> Array:
    """``log sum exp`` of each row within each group, shape (m, groups); ``-inf`` for an empty group."""
    order = np.argsort(groups, kind="stable")
    present, starts = np.unique(groups[order], return_index=True)
    largest = logits.max(axis=1, keepdims=True)
    sums = np.full((len(logits), int(groups.max()) + 1), -np.inf)
    with np.errstate(divide="ignore"):
        totals = np.add.reduceat(np.exp(logits[:, order] - largest), starts, axis=1)
        sums[:, present] = np.log(totals) + largest
    return sums
