"""From cosines to similarities: probes that are close to everything count for less."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formulations.errors import InvalidInstanceError
from formulations.validation import Array, as_floats, check_finite

ROUNDING = 1e-5
"""By how much a cosine may leave [-1, 1]: single precision."""


def entropy_similarity(cosines: npt.ArrayLike) -> Array:
    """Return the entropy-guided similarity of each probe to each column.

    With ``t_kd = (1 + cos(k, d)) / 2``, a distribution ``p_kd = t_kd / sum_d t_kd`` over the columns, its entropy
    ``H(k) = -sum_d p_kd log p_kd`` and ``H`` the mean of these (equation 1),

        s_kd = t_kd * sigmoid(H - H(k))                                                  (equation 2)

    so that a probe close to a few columns counts for more than one that is as close to all. The columns must be the
    candidates, since the entropies depend on which there are. O(m n).

    Parameters
    ----------
    cosines : array of shape (m, n)
        Cosine of each of m probes with each of n columns; in [-1, 1], up to rounding.

    Returns
    -------
    array of shape (m, n)
        s_kd in [0, 1], the ``coverage`` of an instance for `CrushObjective`.

    Raises
    ------
    InvalidInstanceError
        When the array is no matrix, or an entry is no cosine.

    References
    ----------
    M. Kothyari, D. Dhingra, S. Sarawagi, S. Chakrabarti, "CRUSH4SQL: Collective Retrieval Using Schema Hallucination
    For Text2SQL", EMNLP 2023.
    """
    values = as_floats("cosines", cosines)
    if values.ndim != 2:
        remedy = "pass one row per probe and one column per schema element"
        raise InvalidInstanceError("cosines", f"has shape {values.shape}", remedy)
    check_finite("cosines", values)
    outside = np.abs(values) > 1.0 + ROUNDING
    if outside.any():
        k, d = (int(place) for place in np.argwhere(outside)[0])
        raise InvalidInstanceError(f"cosines[{k}, {d}]", f"is {values[k, d]}", "pass cosines, from -1 to 1")
    if values.size == 0:
        return values
    closeness = (1.0 + np.clip(values, -1.0, 1.0)) / 2.0
    total = closeness.sum(axis=1, keepdims=True)
    # A probe opposite to every column has no distribution; its similarities are zero whatever its entropy.
    share = closeness / np.where(total > 0.0, total, 1.0)
    entropy = -(share * np.log(np.where(share > 0.0, share, 1.0))).sum(axis=1)
    weight = 1.0 / (1.0 + np.exp(entropy - entropy.mean()))
    similarity: Array = closeness * weight[:, None]
    return similarity
