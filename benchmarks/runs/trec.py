"""Runs and qrels in the formats of TREC, which any evaluation tool of the field reads.

Fields are separated by spaces, so white space and "%" inside names are written as in URLs; `urllib.parse.unquote` gives
the names back. Names are case folded, as gold items are.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.runs.metrics import ranked_items

QRELS = "qrels.trec"


def run_name(size: int) -> str:
    """The file of a run."""
    return f"run-{size}.trec.gz"


def write_run(path: Path, answers: Mapping[str, Sequence[str]], size: int, tag: str) -> None:
    """Write a compressed run: question, "Q0", item, rank from 1, score ``size - rank + 1``, tag.

    `answers` are the items of each question by its id, best first; at most `size` of them are written.
    """
    lines = [
        f"{_field(question)} Q0 {_field(item)} {rank} {size - rank + 1} {_field(tag)}\n"
        for question, items in answers.items()
        for rank, item in enumerate(ranked_items(items, size), start=1)
    ]
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
        compressed.write("".join(lines).encode())


def write_qrels(path: Path, golds: Mapping[str, Collection[str]]) -> None:
    """Write gold items as qrels: question, 0, item, 1."""
    lines = [
        f"{_field(question)} 0 {_field(item)} 1\n"
        for question, gold in golds.items()
        for item in sorted({item.casefold() for item in gold})
    ]
    path.write_text("".join(lines), encoding="utf-8")


def trec_recall(folder: Path, size: int) -> float:
    """Mean recall of the run of a size, from 0 to 1, as ir-measures computes it from the two files of a folder."""
    import ir_measures

    read_qrels: Any = ir_measures.read_trec_qrels
    read_run: Any = ir_measures.read_trec_run
    qrels, run = read_qrels(str(folder / QRELS)), read_run(str(folder / run_name(size)))
    measure = ir_measures.R @ size
    return float(ir_measures.calc_aggregate([measure], list(qrels), list(run))[measure])


def _field(text: str) -> str:
    return re.sub(r"[\s%]", lambda match: quote(match[0]), text)
