"""The data sets: one internal form, and a registry with a row for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.data.beir import BEIR, beir_name, load_beir
from benchmarks.data.bird import bird_columns, bird_dev, bird_union
from benchmarks.data.corpora import Names
from benchmarks.data.dataset_form import Dataset
from benchmarks.data.refusal import RefusalError
from benchmarks.data.spider import spider_dev, spider_training, spider_union
from benchmarks.data.wild.companies import ages, companies, small
from benchmarks.data.wild.damage import damage_names, run_short_names_together, shorten_names
from benchmarks.data.wild.spider2 import spider2
from benchmarks.data.wild.terse import terse

LICENSED = {"spider": "Spider", "bird": "BIRD"}
"""What data sets under CC BY-SA 4.0 are taken from, by the first word of their names."""


class UnknownDatasetError(RefusalError, KeyError):
    """A data set that is not in the registry; the message lists what there is."""


class SharedNameError(RefusalError, ValueError):
    """Two folders whose results would have one name; the message names both."""


@dataclass(frozen=True)
class DatasetRow:
    """A row of the registry."""

    name: str
    summary: str
    load: Callable[[Path, Names], Dataset]


DATASETS: dict[str, DatasetRow] = {
    row.name: row
    for row in (
        DatasetRow("spider", "Spider dev: 1,034 questions over 81 tables, with rows", spider_dev),
        DatasetRow("bird", "BIRD dev: 1,534 questions over 75 tables, with statistics and sample rows", bird_dev),
        DatasetRow("spider-union", "SpiderUnion: 658 questions over the 876 tables of 166 databases", spider_union),
        DatasetRow("bird-union", "BirdUnion+: 1,534 questions over the 597 tables of 80 databases", bird_union),
        DatasetRow("bird-columns", "BIRD dev as CRUSH used it: 1,534 questions over 798 columns", bird_columns),
        DatasetRow(
            "bird-columns-tuning", "of it the questions on every second database", partial(bird_columns, half=0)
        ),
        DatasetRow("bird-columns-held-out", "the questions on the other databases", partial(bird_columns, half=1)),
        DatasetRow(
            "spider2", "half of Spider 2.0-lite: 273 questions, each over the tables of its own database", spider2
        ),
        DatasetRow("spider2-tuning", "of it every second database", partial(spider2, half=0)),
        DatasetRow("spider2-held-out", "the other databases", partial(spider2, half=1)),
        DatasetRow(
            "spider2-union", "the same questions over all 2,621 tables", partial(spider2, within=False)
        ),
        DatasetRow(
            "spider2-union-tuning",
            "the questions and tables of every second database",
            partial(spider2, half=0, within=False),
        ),
        DatasetRow(
            "spider2-union-held-out", "those of the other databases", partial(spider2, half=1, within=False)
        ),
        DatasetRow(
            "companies",
            "396 questions on 18 databases as companies have them, each over the tables of its own, to choose by",
            lambda root, names: companies(held_out=False),
        ),
        DatasetRow(
            "companies-held-out",
            "132 questions on six others of two other writers",
            lambda root, names: companies(held_out=True),
        ),
        DatasetRow(
            "companies-plain",
            "216 questions in plain words on the 18 databases to choose by, 3.4 tables each",
            lambda root, names: companies(held_out=False, plain=True),
        ),
        DatasetRow(
            "companies-plain-held-out",
            "72 on the six others",
            lambda root, names: companies(held_out=True, plain=True),
        ),
        DatasetRow(
            "ages",
            "600 questions on ten databases in modules of several ages, each over its own tables, to choose by",
            lambda root, names: ages(held_out=False),
        ),
        DatasetRow("ages-held-out", "120 on two others", lambda root, names: ages(held_out=True)),
        DatasetRow(
            "small",
            "600 questions in words of their own on 30 small databases, each over its own tables, to choose by",
            lambda root, names: small(held_out=False),
        ),
        DatasetRow("small-held-out", "200 on 10 others", lambda root, names: small(held_out=True)),
        DatasetRow(
            "terse",
            "180 questions on six terse schemas of old systems, each over the tables of its own, to choose by",
            lambda root, names: terse(held_out=False),
        ),
        DatasetRow("terse-held-out", "180 on six others", lambda root, names: terse(held_out=True)),
        DatasetRow(
            "spider-training", "6,726 training questions over the tables of SpiderUnion, to choose by", spider_training
        ),
        DatasetRow(
            "spider-training-damaged",
            "the same with names run together, without vowels or prefixed",
            lambda root, names: damage_names(spider_training(root, names)),
        ),
        DatasetRow(
            "spider-training-shortened",
            "the same with the words of names cut or contracted",
            lambda root, names: shorten_names(spider_training(root, names)),
        ),
        DatasetRow(
            "spider-training-short-together",
            "the same without breaks between them",
            lambda root, names: run_short_names_together(spider_training(root, names)),
        ),
    )
}


def load_dataset(name: str, root: Path, names: Names = "original") -> Dataset:
    """A data set by name.

    Parameters
    ----------
    name : str
        A key of `DATASETS`, or "beir:PATH" for a folder in the layout of BEIR (see `benchmarks.data.beir`).
    root : Path
        The data folder.
    names : "original" or "natural"
        Whether columns carry natural names beside their own.

    Raises
    ------
    UnknownDatasetError
        When there is none of that name.
    MissingDataError
        When a file is not there.
    """
    if name.startswith(BEIR):
        return load_beir(Path(name.removeprefix(BEIR)))
    check_datasets([name])
    return DATASETS[name].load(root, names)


def check_datasets(names: Iterable[str]) -> None:
    """Read nothing, but refuse a name that `load_dataset` does not know, and folders that share a name.

    Parameters
    ----------
    names : iterable of str
        As `load_dataset` takes them.

    Raises
    ------
    UnknownDatasetError
        When there is none of that name.
    SharedNameError
        When two folders have one name: the results of one would be taken for those of the other.
    MissingDataError
        When a folder in the layout of BEIR has several files of qrels, and its path names none.
    """
    folders: dict[str, str] = {}
    for name in names:
        if name.startswith(BEIR):
            label, folder = beir_name(Path(name.removeprefix(BEIR)))
            if (other := folders.setdefault(label, folder)) != folder:
                raise SharedNameError(
                    f"{folder} and {other} have one name, {label!r}, and so would their results: rename one of the "
                    f"folders, or give each an --output of its own"
                )
        elif name not in DATASETS:
            raise UnknownDatasetError(f"unknown data set {name!r}: choose among {', '.join(DATASETS)}, or {BEIR}PATH")
