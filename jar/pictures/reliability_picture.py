"""`plot_reliability`: whether the probabilities of a fit are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jar.errors import QueryError
from jar.layout.drawing import AMBER, BLUE
from jar.pictures.painting import check_installed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from jar.fitting.fit_report import FitReport
    from jar.fitting.reliability import Reliability
    from jar.index.index import Index

INCHES = (4.6, 4.8)


def plot_reliability(fit: FitReport | Index, ax: Axes | None = None) -> Axes:
    """Draw the reliability curve of a fit: the share of needed tables against the probability that they are needed.

    Candidates are those of the logged questions, each judged by a fit that has not seen its question. A curve on the
    diagonal keeps what it promises, one below it promises too much. The area of a mark grows with the candidates in
    it. The legend has the expected calibration errors, in percentage points.

    Parameters
    ----------
    fit : FitReport or Index
        What `Reranker.fit` or `Reranker.fit_file` returned, or an index that is fitted.
    ax : Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    QueryError
        When the report has no reliability, or the index no fit, or one of a version that did not keep it.
    JarError
        When matplotlib is not installed, or the fit of the index is damaged.
    """
    reliability, questions = _told(fit)
    check_installed()
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=INCHES, layout="constrained").subplots()
    ax.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, linestyle="--", label="as promised")
    for name, colour, bins, error in (
        ("without the fit", AMBER, reliability.before, reliability.error_before),
        ("with the fit", BLUE, reliability.after, reliability.error_after),
    ):
        chances, shares = [row.probability for row in bins], [row.needed for row in bins]
        ax.plot(chances, shares, color=colour, linewidth=1.4, label=f"{name}, error {100 * error:.1f}")
        ax.scatter(chances, shares, s=[8 + 4 * row.pairs**0.5 for row in bins], color=colour, alpha=0.7, linewidths=0)
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal")
    ax.set_title(f"Reliability on {questions} logged questions", fontsize=10, loc="left")
    ax.set_xlabel("probability that a candidate is needed")
    ax.set_ylabel("share that is needed")
    ax.grid(visible=True, linewidth=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=8, frameon=False, loc="upper left")
    return ax


def _told(fit: FitReport | Index) -> tuple[Reliability, int]:
    """The bins of a report, or of the fit that an index keeps, and the number of its questions."""
    from jar.fitting.fit_report import FitReport
    from jar.fitting.stored_fit import stored_reliability
    from jar.index.index import Index

    if isinstance(fit, Index):
        return stored_reliability(fit.contents)
    if not isinstance(fit, FitReport):
        raise QueryError(f"reliability is that of a FitReport or of a fitted Index, not of a {type(fit).__name__}")
    if fit.reliability is None:
        raise QueryError("this report has no reliability: take the one that Reranker.fit returns")
    return fit.reliability, fit.questions
