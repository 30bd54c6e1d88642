"""The page of the benchmarks: everything that an output folder holds, beside published figures."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.data.beir import BEIR
from benchmarks.pages.grids import Grid, wrapped
from benchmarks.pages.markdown import Part, Picture, between, image, write_page
from benchmarks.pages.measured import Group, Measured, unusual
from benchmarks.pages.pictures import draw
from benchmarks.pages.readme_table import DATA, MARKS, figures, readme_table
from benchmarks.pages.reference import SOURCES, published
from benchmarks.pages.result_grids import section_grids
from benchmarks.runs.evaluation import Report
from benchmarks.runs.provenance import provenance
from benchmarks.runs.results import Result

HEAD = """# Benchmarks

{origin} No figure is typed; all are percentages unless they say otherwise.

A row in *italics* is a published figure, as its paper reports it: it was not measured here, and its retriever and its
questions are not quite these. Systems named `+given` have the sub-queries that come with the data set, which a language
model wrote; the others decompose the question by the rule of the package, without a model. `oracle` is the best that
any system can do when it has to name K. Precision at K divides by K, so that an empty place counts as a miss.
More on joins and solvers: [Joinability](joinability.md), [Solvers compared](solvers-compared.md).
"""


def write_report(
    output: Path, page: Path, readme: Path | None = None, report: Report | None = None, others: Sequence[Part] = ()
) -> list[Group]:
    """Write the page, its plots and its figures as data; return what it is about.

    `output` is what `python -m benchmarks run` wrote. Plots and ``benchmarks.json`` go to ``figures/`` beside the page.
    `readme` is a README whose table of quality is written anew; `report` is told which results are left out, and why;
    `others` are what joins and solvers add.

    Raises
    ------
    NoResultsError
        When the folder has no results.
    MissingFigureError
        When the README's table has a row that was not measured on all questions.
    """
    groups = Measured(output, report).groups
    about = origin(groups, page)
    measured = figures(groups, about)
    if readme is not None:
        readme.write_text(between(readme.read_text("utf-8"), MARKS, readme_table(measured)), encoding="utf-8")
    made = (
        f"Made by `{about['command']}` on {about['written']}; the figures were measured at commit {about['commit']} on "
        f"{about['date']}, by the commands [below](#runs)."
    )
    parts = [HEAD.format(origin=wrapped(made))]
    for task in dict.fromkeys(group.task.name for group in groups):
        of_task = [group for group in groups if group.task.name == task]
        parts.append(f"## {task.capitalize()}: {of_task[0].task.summary}\n")
        for group in of_task:
            parts += _section(group, draw(group, page.parent / "figures"), page)
    for other in others:
        parts.append(f"## {other.title}\n")
        parts += [grid.markdown() + "\n" for grid in other.grids]
        parts += [image(picture, page) for picture in other.pictures]
    parts += _sources(groups)
    parts += _runs(groups, others)
    write_page(page, parts)
    (page.parent / DATA).parent.mkdir(parents=True, exist_ok=True)
    (page.parent / DATA).write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    return groups


def origin(groups: Sequence[Group], page: Path) -> dict[str, Any]:
    """Commits, command and dates of the figures."""
    results = [result for group in groups for result in group.results]
    command = f"python -m benchmarks report --page {page.as_posix()}"
    written = provenance()["date"][:10]
    return {"commit": _commits(results), "command": command, "date": _days(results), "written": written}


def _section(group: Group, pictures: Sequence[Picture], page: Path) -> list[str]:
    part = "" if group.limit is None else f", **a slice**: at most {group.limit} questions"
    grids = [grid.markdown() + "\n" for grid in section_grids(group)]
    title = f"### {group.dataset}, {group.questions:,} questions{part}\n"
    return [title, *grids, *(image(picture, page) for picture in pictures)]


def _sources(groups: Sequence[Group]) -> list[str]:
    used = dict.fromkeys(row.source for group in groups for row in published(group.task.name, group.dataset))
    rows = [wrapped(f"- *{name}*: {SOURCES[name]}.") for name in used]
    return ["## Sources\n", "\n".join(rows) + "\n"] if rows else []


def _runs(groups: Sequence[Group], others: Sequence[Part]) -> list[str]:
    rows = []
    for command, results in chain.from_iterable(_commands(group) for group in groups):
        settings = "{embedder}, {candidates} candidates, {names} names".format(**results[0])
        seconds = sum(result["seconds"] for result in results)
        rows.append((f"`{command}`", settings, _commits(results), _days(results), f"{seconds:,.0f} s"))
    for other in others:
        took = "" if other.seconds is None else f"{other.seconds:,.0f} s"
        rows.append((f"`{other.command}`", "", other.commit, other.date[:10], took))
    newest = max((result for group in groups for result in group.results), key=lambda result: result["date"])
    machine = newest["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in newest["versions"].items())
    system = machine["system"].partition("-")[0]
    note = f"{machine['cores']} cores, {system} on {machine['processor']}, no GPU used; {versions}."
    return ["## Runs\n", Grid("", ("command", "settings", "commit", "date", "took"), rows, note).markdown() + "\n"]


def _commits(results: Sequence[Result]) -> str:
    return ", ".join(dict.fromkeys(str(result["commit"]) for result in results))


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

