"""A comparison as a page of the documentation, from what an output folder holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.data.refusal import RefusalError
from benchmarks.pages.grids import Grid
from benchmarks.pages.markdown import Part, Picture, image, write_page
from benchmarks.plots.performance_profile import plot_performance_profile
from benchmarks.plots.styles import missing, save
from benchmarks.solvers import synthetic
from benchmarks.solvers.bench import FOLDER
from benchmarks.solvers.comparison import Study, read_study
from benchmarks.solvers.questions import KINDS
from benchmarks.solvers.races import QUICK_SECONDS, REPEATS, Run
from benchmarks.solvers.study_rows import STUDIES

FIGURES = {
    "paper": ("solvers-profile-paper", "Performance profile with the paper's program"),
    "agreement": ("solvers-profile", "Performance profile over 20 candidates"),
}
"""The file and the caption of the performance profile of a study."""
RACES = ("race", "paper", "agreement")
"""Studies that the page of the benchmarks may show; `run --task solvers` makes the first."""
RACE = "python -m benchmarks run --task solvers"
"""The command that makes what `run --task all` leaves of the solvers."""

HEAD = f"""# Solvers compared

Made by `python -m benchmarks solvers --report docs/solvers-compared.md`; no figure is typed.
[The formulation](formulation.md) has the objective and the reduction, [Native engines](engines.md) the programs.

**Instances** are those of real questions of Spider and BIRD that need several tables, evenly spaced over each data set,
over the top tables of the retriever or over the whole corpus. Every other question has the decomposition that comes
with the data set, the rest have the built-in one. Overlaps of BIRD are estimates from ten rows of each table. There
are two kinds:

{chr(10).join(f"- `{kind}`: {what};" for kind, what in KINDS.items())}

**Times** are wall-clock times of the call of `solve()`, after a warm-up in each process: what a user waits, with the
way to the engine's process and back, the checks of the arguments and of the answer. On each instance all solvers run
in turn, in an order that rotates. A call that takes less than {1e3 * QUICK_SECONDS:g} ms is made {REPEATS} times, and \
the median counts.
Quantiles are observed times (nearest rank). Engines have one thread.

**CPU** is processor time of this process and of the engine's, the median of the runs of which it is known (a worker
that was stopped takes it along). On a busy machine a short call fits between two other processes, while a long one
shares the cores with them: ratios of wall-clock times are then too large, ratios of processor times are not.

**Limits.** A run that should prove and did not counts at its limit, also where the engine overran it; medians and
ratios that rest on such runs are lower bounds and have a `>`. The performance profile counts such an instance as not
solved.

**Columns.** `paper-mip` gets the column-level problem, as in the paper; all others the reduced instance. What the
reduction takes is given beside the table.
"""


ONCE = "<!-- measured once -->"
"""What stands below this mark stays on the page: the code that measured it is gone."""


class NoStudiesError(RefusalError, FileNotFoundError):
    """There is nothing to report; the message says how to make it."""


def write_report(folder: Path, path: Path) -> list[Study]:
    """Write the page, and its figures into ``figures/`` beside it; return the studies that it is about.

    `folder` is what `comparison.run_solvers` wrote.

    Raises
    ------
    NoStudiesError
        When the folder has none; the page stays as it is.
    """
    studies = [study for name in STUDIES if (study := read_study(folder, name)) is not None]
    if not studies:
        raise NoStudiesError(
            f"{folder} has no study: make them with `python -m benchmarks solvers --output {folder.parent}`"
        )
    parts = [HEAD, "## Targets\n", _targets(studies), "## What was run\n", _provenance(studies)]
    for study in studies:
        parts.append(f"## {study.name.capitalize()}: {STUDIES[study.name].SUMMARY}\n")
        if study.name == "thousand":
            parts.append((synthetic.__doc__ or "").split("\n", 2)[2].replace("``", "`"))
        parts.append(study.findings.grid.markdown() + "\n")
        if study.name in FIGURES and missing() is None:
            name, caption = FIGURES[study.name]
            axes = plot_performance_profile(proof_times(study.findings.runs))
            parts.append(image(Picture(caption, save(axes, path.parent / "figures" / f"{name}.png")), path))
    _, mark, kept = (path.read_text(encoding="utf-8") if path.exists() else "").partition(ONCE)
    write_page(path, [*parts, mark + kept] if mark else parts)
    return studies


def race_part(output: Path, figures: Path) -> Part | None:
    """What the page of the benchmarks shows of solvers: the first of `RACES` that was run; None where none was."""
    studies = (read_study(output / FOLDER, name) for name in RACES)
    study = next((study for study in studies if study is not None and study.findings.runs), None)
    if study is None:
        return None
    pictures = []
    if missing() is None:
        axes = plot_performance_profile(proof_times(study.findings.runs))
        path = save(axes, figures / "benchmarks-solvers-profile.png")
        pictures = [Picture("Performance profile of the solvers", path)]
    about = study.provenance
    command = RACE if "--task all" in study.command else study.command  # the run of all tasks is more than the race
    title, grids = "Solvers: the same instances, in turn", [study.findings.grid]
    return Part(title, grids, pictures, command, str(about["commit"]), about["date"], about["seconds"])


def proof_times(runs: Iterable[Run]) -> dict[str, list[float]]:
    """Seconds to the proof by solver, over all cases in one order; ``inf`` where there is no proof.

    A case that a solver has no run of counts as not proved by it.
    """
    by_solver: dict[str, dict[tuple[Any, ...], float]] = {}
    for run in runs:
        by_solver.setdefault(run.solver, {})[run.case] = run.seconds if run.proved else math.inf
    cases = sorted({case for times in by_solver.values() for case in times})
    return {solver: [times.get(case, math.inf) for case in cases] for solver, times in by_solver.items()}


def _targets(studies: Sequence[Study]) -> str:
    rows = [
        (check.target, check.measured, "yes" if check.met else "**no**")
        for study in studies
        if study.full
        for check in study.findings.checks
    ]
    partial = [study.name for study in studies if not study.full]
    note = f"Not judged, since not run in full: {', '.join(partial)}." if partial else ""
    return Grid("", ("target", "measured", "met"), rows, note).markdown() + "\n"


def _provenance(studies: Sequence[Study]) -> str:
    """With what each study was made; versions once."""
    rows = [
        (
            study.name,
            f"`{study.command}`",
            study.provenance["date"][:10],
            str(study.provenance["commit"]),
            f"{study.provenance['seconds'] / 60:.0f} min",
            " to ".join("-" if load is None else f"{load:g}" for load in study.provenance["load"]),
        )
        for study in studies
    ]
    about = studies[-1].provenance
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items() if name != "jar-rerank")
    note = (
        f"A shared machine of {about['machine']['cores']} cores without a GPU. The load is how many processes wanted a "
        "core before and after; where it is high, times are longer than on a quiet machine, and ratios count. "
        f"{versions}."
    )
    return Grid("", ("study", "command", "date", "commit", "took", "load"), rows, note).markdown() + "\n"
