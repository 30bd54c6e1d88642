"""The fit of an index: kept in its file by the names of tables, read once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from jar.errors import JarError, QueryError
from jar.fitting.reliability import Reliability
from jar.index.stated import FIT, kept_fit
from jar.learned.adaptation import read_adaptation

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.index import Index
    from jar.learned.adaptation import Adaptation


class FitStatus(NamedTuple):
    """What an index is fitted to, in words; what that gave, each gain in points with its interval (low, high); and the
    tables of the fit that the index does not have."""

    summary: str
    gains: dict[str, tuple[float, float, float]]
    gone: tuple[str, ...]

    def __str__(self) -> str:
        gains = self.gains.items()
        lines = [self.summary]
        lines += (f"  {name} {gain:+.1f} (95 %: {low:+.1f} to {high:+.1f})" for name, (gain, low, high) in gains)
        if self.gone:
            lines.append(f"no longer in the index, and of no effect until they come back: {', '.join(self.gone)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        gains = {name: dict(zip(("gain", "low", "high"), gain, strict=True)) for name, gain in self.gains.items()}
        return {"summary": self.summary, "gains": gains, "gone": list(self.gone)}


def stored_fit(contents: IndexContents) -> Adaptation | None:
    """What logged questions teach of the tables of an index; None where it is not fitted.

    Raises
    ------
    JarError
        When another version of the package fitted it, or the fit is damaged.
    """
    text = contents.meta.get(FIT)
    if text is None:
        return None
    try:
        return read_adaptation(text)
    except JarError as error:
        raise JarError(
            f'the index has {error}: fit it again, undo the fit (jar fit INDEX --undo), or give relevance="learned"'
        ) from error


def fit_status(contents: IndexContents) -> FitStatus | None:
    """What an index is fitted to; None where it is not.

    Raises
    ------
    JarError
        As `stored_fit`.
    """
    adaptation = stored_fit(contents)
    if adaptation is None:
        return None
    gone = sorted(table for table in adaptation.needed if table not in contents.table_position)
    gains = {name: (gain, low, high) for name, (gain, low, high) in adaptation.card["gains"].items()}
    return FitStatus(adaptation.summary, gains, tuple(gone))


def stored_reliability(contents: IndexContents) -> tuple[Reliability, int]:
    """Whether the probabilities of the fit of an index are right, and on how many logged questions that was measured.

    Raises
    ------
    QueryError
        When the index is not fitted, or its fit is of a version that did not keep this.
    JarError
        As `stored_fit`.
    """
    adaptation = stored_fit(contents)
    if adaptation is None:
        raise QueryError("the index is not fitted to logged questions: fit it first (jar fit INDEX LOG)")
    card = adaptation.card
    if "reliability" not in card:
        raise QueryError("the fit of the index is from before its bins were kept: fit it again (jar fit INDEX LOG)")
    try:
        return Reliability.from_dict(card["reliability"]), int(card["questions"])
    except (KeyError, TypeError, ValueError) as error:
        raise JarError(f"the fit of the index has damaged bins ({error!r}): fit again (jar fit INDEX LOG)") from error


def gone_tables(contents: IndexContents) -> tuple[str, ...]:
    """Tables that logged questions need and the index does not have; none where there is no fit that can be read."""
    try:
        status = fit_status(contents)
    except JarError:
        return ()
    return () if status is None else status.gone


def store_fit(index: Index, adaptation: Adaptation) -> None:
    """Keep a fit in the index file, in place of an earlier one."""
    _keep(index, adaptation.to_text())


def forget_fit(index: Index) -> None:
    """Take the fit out of the index file.

    Raises
    ------
    QueryError
        When there is none.
    """
    if FIT not in index.contents.meta:
        raise QueryError("the index is not fitted to logged questions: there is nothing to undo")
    _keep(index, None)


def _keep(index: Index, text: str | None) -> None:
    with kept_fit(index.path, text) as meta:
        others = {key: value for key, value in index.contents.meta.items() if key != FIT}
        index.contents = replace(index.contents, meta=others | ({FIT: meta[FIT]} if FIT in meta else {}))
