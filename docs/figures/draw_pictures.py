"""Draws the pictures of docs/pictures.md: ``python docs/figures/draw_pictures.py``, from the root of a checkout.

Those of the sample lake need the extras "pictures" and "embed". The reliability curve needs "static", and the training
questions of Spider in the folder that JAR_DATA names; it is left as it is where they are not there.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path
from typing import Any

from jar import Catalog, Index, Reranker
from jar.pictures import plot_join_graph, plot_reliability, plot_selection
from jar.sample import QUESTIONS, sample_frames

HERE = Path(__file__).parent
DOTS, COLOURS = 96, 48
LOGGED = "college_1"


def main(folder: Path = HERE) -> None:
    """Write the pictures into a folder."""
    index = Index.build(Catalog.from_frames(sample_frames()), embedder="minilm", progress=False)
    result = Reranker(index).rank(QUESTIONS[0].text, k=4)
    save(plot_selection(result), folder / "picture-selection.png")
    save(plot_join_graph(index, around="bank.account", depth=2), folder / "picture-join-graph.png")
    data = Path(os.environ.get("JAR_DATA", ""), "spider")
    if "JAR_DATA" in os.environ and data.is_dir():
        save(plot_reliability(fitted(data)), folder / "picture-reliability.png")


def fitted(data: Path) -> Any:
    """A fit to the training questions on one database of Spider, with static vectors."""
    catalog = Catalog.from_sqlite(data / "databases" / LOGGED / f"{LOGGED}.sqlite")
    index = Index.build(catalog, embedder="static", progress=False)
    with (data / "train_questions.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["database"] == LOGGED]
    return Reranker(index).fit([row["question"] for row in rows], [row["sql"] for row in rows], progress=False)


def save(ax: Any, path: Path) -> None:
    """Write a picture in few colours, so that it is small, without the version that would make each one new."""
    from PIL import Image

    ax.figure.savefig(path, dpi=DOTS, metadata={"Software": None})
    Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
