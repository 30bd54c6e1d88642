"""The page of the benchmarks: everything that an output folder holds, beside published figures."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.data.beir import BEIR
from benchmarks.pages.grids import Grid, wrapped
from benchmarks.pages.measured import Group, Measured, unusual
from benchmarks.pages.other_tasks import join_figures, joins_grid, solver_study
from benchmarks.pages.pictures import Picture, draw, draw_profile
from benchmarks.pages.readme_table import DATA, figures, with_table, write_figures
from benchmarks.pages.reference import SOURCES, published
from benchmarks.pages.result_grids import breakdown_grid, certainty_grid, latency_grid, quality_grid
from benchmarks.runs.evaluation import Report
from benchmarks.runs.provenance import provenance
from benchmarks.runs.results import Result
from benchmarks.solvers.comparing import Study

HEAD = """# Benchmarks

{origin} No figure is typed; all are percentages unless they say otherwise.

A row in *italics* is a published figure, as its paper reports it: it was not measured here, and its retriever and its
questions are not quite these. Systems named `+given` have the sub-queries that come with the data set, which a language
model wrote; the others decompose the question by the rule of the package, without a model. `oracle` is the best that
any system can do when it has to name K. Precision at K divides by K, so that an empty place counts as a miss.
More on joins and solvers: [Joinability](joinability.md), [Solvers compared](solvers-compared.md).
"""

RACE = "python -m benchmarks run --task solvers"
"""The command that makes what `run --task all` leaves of the solvers."""

Figures = Mapping[str, Any]


def write_report(output: Path, page: Path, readme: Path | None = None, report: Report | None = None) -> list[Group]:
    """Write the page, its plots and its figures as data; return what it is about.

    Parameters
    ----------
    output : Path
        What `python -m benchmarks run`, and maybe `solvers`, wrote.
    page : Path
        The Markdown file; plots and ``benchmarks.json`` go to ``figures/`` beside it.
    readme : Path, optional
        A README whose table of quality is written anew.
    report : callable, optional
        Told which results are left out, and why.

    Raises
    ------
    NoResultsError
        When the folder has no results.
    MissingFigureError
        When the README's table has a row that was not measured on all questions.
    """
    groups = Measured(output, report).groups
    about = origin(groups, page)
    found = figures(groups, about)
    if readme is not None:
        readme.write_text(with_table(readme.read_text(encoding="utf-8"), found), encoding="utf-8")
    folder = page.parent / "figures"
    parts = [HEAD.format(origin=_origin_line(about))]
    for task in dict.fromkeys(group.task.name for group in groups):
        own = [group for group in groups if group.task.name == task]
        parts.append(f"## {task.capitalize()}: {own[0].task.summary}\n")
        for group in own:
            parts += _section(group, draw(group, folder), page)
    joins, study = join_figures(output), solver_study(output)
    if joins is not None:
        parts += _joins(joins)
    if study is not None:
        parts += _solvers(study, draw_profile(study, folder), page)
    parts += _sources(groups)
    parts += _runs(groups, joins, study)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")
    write_figures(page.parent / DATA, found)
    return groups


def origin(groups: Sequence[Group], page: Path) -> dict[str, Any]:
    """Commits, command and dates of the figures."""
    results = [result for group in groups for result in group.results]
    return {
        "commit": ", ".join(dict.fromkeys(str(result["commit"]) for result in results)),
        "command": f"python -m benchmarks report --page {page.as_posix()}",
        "date": _days(results),
        "written": provenance()["date"][:10],
    }


def _origin_line(about: Mapping[str, Any]) -> str:
    return wrapped(
        f"Made by `{about['command']}` on {about['written']}; the figures were measured at commit {about['commit']} on "
        f"{about['date']}, by the commands [below](#runs)."
    )


def _section(group: Group, pictures: Sequence[Picture], page: Path) -> list[str]:
    part = "" if group.limit is None else f", **a slice**: at most {group.limit} questions"
    parts = [f"### {group.dataset}, {group.questions:,} questions{part}\n", quality_grid(group).markdown() + "\n"]
    grids = [certainty_grid(group), *(breakdown_grid(group, kind) for kind in ("gold_tables", "difficulty"))]
    for grid in [*grids, latency_grid(group)]:
        if grid is not None:
            parts.append(grid.markdown() + "\n")
    return parts + [_image(picture, page) for picture in pictures]


def _image(picture: Picture, page: Path) -> str:
    return f"![{picture.caption}]({os.path.relpath(picture.path, page.parent).replace(os.sep, '/')})\n"


def _joins(found: Figures) -> list[str]:
    return ["## Joins: declared keys of Spider, hidden from the scores\n", joins_grid(found).markdown() + "\n"]


def _solvers(study: Study, pictures: Sequence[Picture], page: Path) -> list[str]:
    parts = ["## Solvers: the same instances, in turn\n", *(grid.markdown() + "\n" for grid in study.findings.grids)]
    return [*parts, *(_image(picture, page) for picture in pictures)]


def _sources(groups: Sequence[Group]) -> list[str]:
    used = dict.fromkeys(row.source for group in groups for row in published(group.task.name, group.dataset))
    rows = [wrapped(f"- *{name}*: {SOURCES[name]}.") for name in used]
    return ["## Sources\n", "\n".join(rows) + "\n"] if rows else []


def _runs(groups: Sequence[Group], joins: Figures | None, study: Study | None) -> list[str]:
    rows = []
    for command, results in chain.from_iterable(_commands(group) for group in groups):
        commits = ", ".join(dict.fromkeys(str(result["commit"]) for result in results))
        seconds = sum(result["seconds"] for result in results)
        rows.append((f"`{command}`", _settings(results[0]), commits, _days(results), f"{seconds:,.0f} s"))
    if joins is not None:
        rows.append(("`python -m benchmarks run --task joins`", "", str(joins["commit"]), joins["date"][:10], ""))
    if study is not None:
        about = study.provenance
        command = RACE if "--task all" in study.command else study.command  # the run of all tasks is more than the race
        rows.append((f"`{command}`", "", str(about["commit"]), about["date"][:10], f"{about['seconds']:,.0f} s"))
    newest = max((result for group in groups for result in group.results), key=lambda result: result["date"])
    machine = newest["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in newest["versions"].items())
    system = machine["system"].partition("-")[0]
    note = f"{machine['cores']} cores, {system} on {machine['processor']}, no GPU used; {versions}."
    return ["## Runs\n", Grid("", ("command", "settings", "commit", "date", "took"), rows, note).markdown() + "\n"]


def _days(results: Sequence[Result]) -> str:
    """The day of the results, or the first and the last."""
    days = sorted({result["date"][:10] for result in results})
    return " to ".join(dict.fromkeys((days[0], days[-1])))


def _commands(group: Group) -> Iterator[tuple[str, list[Result]]]:
    """The commands that make a group, each with its results; systems that the task does not run itself are named."""
    parts: dict[tuple[bool, str], list[Result]] = {}
    for result in group.results:
        named = result["system"] not in group.task.systems
        parts.setdefault((named, _options(result)), []).append(result)
    for (named, options), results in sorted(parts.items()):
        systems = f" --systems {','.join(result['system'] for result in results)}" if named else ""
        dataset = shlex.quote(_dataset(results[0]))
        yield f"python -m benchmarks run --task {group.task.name} --datasets {dataset}{options}{systems}", results


def _dataset(result: Result) -> str:
    """What the command takes: the name, or the path of a folder in the layout of BEIR, with its qrels."""
    if not result.get("folder"):
        return str(result["dataset"])
    _, _, judged = str(result["dataset"]).partition("/")
    return BEIR + (f"{result['folder']}/qrels/{judged}.tsv" if judged else str(result["folder"]))


def _options(result: Result) -> str:
    """What is not as usual, as options of the command."""
    given = {"limit": result["limit"]} if result["limit"] is not None else {}
    given |= unusual(result)
    if result["decomposition"] == "given" and "+given" not in result["system"]:
        given["decomposition"] = "given"
    return "".join(f" --{name} {value}" for name, value in given.items())


def _settings(result: Result) -> str:
    return f"{result['embedder']}, {result['candidates']} candidates, {result['names']} names"
