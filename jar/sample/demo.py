"""The demo: write the sample lake, index it, ask it three questions. Run with ``python -m jar.sample.demo``."""

from __future__ import annotations

from pathlib import Path

from jar.index.index import Index
from jar.rerank import Reranker
from jar.sample import QUESTIONS, write_sample_lake
from joinability import Catalog


def main(folder: Path = Path("demo")) -> None:
    """Print the tables and the join plan that answer each question about the sample lake."""
    files = write_sample_lake(folder / "lake")
    print(f"{len(files)} CSV files in {folder / 'lake'}, no key declared")
    index = Index.build(Catalog.from_files(folder / "lake"), path=folder / "lake.jar")
    print(f"{len(index)} tables in {folder / 'lake.jar'}")
    reranker = Reranker(index)
    for question in QUESTIONS:
        print("\n" + "=" * 100)
        print(reranker.rank(question.text, k=len(question.tables)))
    first = QUESTIONS[0].text
    print("\n" + "=" * 100)
    print(f'Ask your own:   .venv/bin/jar rank {folder / "lake.jar"} "{first}" -k 4')
    print(f"What joins:     .venv/bin/jar joins {folder / 'lake.jar'} --min-score 0.5")


if __name__ == "__main__":
    main()
