"""``python -m benchmarks sql``: whether SQL is right that a model writes over chosen tables."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import pandas as pd

from benchmarks.commands.options import DATA, EMBEDDER, OUTPUT, Measuring, NameList, OutputPath, clock, console
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.data.refusal import RefusalError
from benchmarks.runs.evaluation import Options, open_index
from benchmarks.runs.provenance import provenance
from benchmarks.runs.vectors import VectorCache
from benchmarks.sql.contexts import CONTEXTS, check_contexts, show_tables
from benchmarks.sql.sql_page import accuracy_grid, comparison_grid, write_sql_page
from benchmarks.sql.sql_study import (
    SqlStudy,
    ask_all,
    by_system,
    compare,
    database_files,
    drawn,
    run_gold,
    system_figures,
)
from benchmarks.sql.writer import SqlWriter
from benchmarks.systems.rows import Setting
from jar.language import OpenAiModel

DATASET = "spider-union"
TIMEOUT = 600.0
"""Seconds that a server has for an answer: a model on a few cores is slow."""


class NothingMeasuredError(RefusalError, ValueError):
    """No question was answered in the time that was given."""


@click.command("sql", cls=Measuring)
@DATA
@OUTPUT
@EMBEDDER
@click.option("--systems", type=NameList(), default=",".join(CONTEXTS), show_default=True, help="Contexts.")
@click.option("-k", "k", type=click.IntRange(1, 10), default=3, show_default=True, help="K, tables of a fixed number.")
@click.option("--model", help="Name of the model as its server knows it; else OPENAI_MODEL.")
@click.option("--base-url", help="Address of an OpenAI-compatible server; else OPENAI_BASE_URL.")
@click.option("--max-tokens", type=click.IntRange(1), default=120, show_default=True, help="Of an answer.")
@click.option("--limit", type=click.IntRange(1), help="At most so many questions, drawn at random with a fixed seed.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Begin no further question after so long.")
@click.option("--page", type=OutputPath(folder=False), help="A page with marks for these tables.")
def sql(
    data: str | None, output: Path, embedder: str, systems: list[str], k: int, page: Path | None,
    limit: int | None, minutes: float | None, **asked: Any,
) -> None:  # fmt: skip
    """Execution accuracy by context: tables here, DIR/sql.json and DIR/sql.csv with every query.

    Answers of the model are kept in DIR/sql-answers.jsonl, so that an interrupted run goes on where it was.
    """
    check_contexts(systems)
    writer = _writer(output, **asked)
    options, report = Options(data_root(data), output, embedder=embedder), clock()
    whole = load_dataset(DATASET, options.root)
    dataset = drawn(whole, limit)
    files = database_files(dataset, options.root)
    cache = VectorCache(embedder, output / "vectors")
    setting = Setting(dataset, open_index(whole, options, cache), cache.embedder)
    report(f"{len(dataset.questions)} questions: choosing tables")
    shown = show_tables(setting, systems, k)
    cache.save()
    answers = list(ask_all(dataset, shown, files, writer, report, minutes))
    if not answers:
        raise NothingMeasuredError("no question was answered: give more --minutes")
    of_systems = by_system(answers)
    answered = len(answers) // len(of_systems)
    golds = [run_gold(question, files) for question in dataset.questions[:answered]]
    study = SqlStudy(
        whole.name, len(whole.questions), answered, k, writer.model.name, sum(not gold.rows for gold in golds),
        tuple(system_figures(name, of_systems[name]) for name in dict.fromkeys(systems)), compare(of_systems),
    )  # fmt: skip
    pd.DataFrame(map(asdict, answers)).to_csv(output / "sql.csv", index=False)
    (output / "sql.json").write_text(json.dumps(asdict(study) | provenance(), indent=1) + "\n", encoding="utf-8")
    accuracy_grid(study).show(console(180))
    comparison_grid(study).show(console(180))
    if page is not None:
        write_sql_page(page, study, provenance()["commit"])


def _writer(output: Path, model: str | None, base_url: str | None, max_tokens: int) -> SqlWriter:
    parameters = {"max_tokens": max_tokens}
    times = {"timeout": TIMEOUT, "deadline": TIMEOUT}
    asked = OpenAiModel(model, base_url=base_url, parameters=parameters, cache=False, **times)
    return SqlWriter(asked, output / "sql-answers.jsonl")
