"""Pools that are made once for an embedder and a setting, and those of companies and of other wide schemas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.data.dataset_form import Dataset
from benchmarks.data.wild.companies import ages, companies, small
from benchmarks.data.wild.terse import terse
from benchmarks.learning.pool_files import PoolFiles
from benchmarks.learning.pool_settings import (
    AGES,
    COMPANIES,
    PLAIN,
    SETTINGS,
    SMALL,
    TERSE,
    WAREHOUSES,
    OtherWords,
    PoolSetting,
)
from benchmarks.learning.pools import Pool, make_pools
from benchmarks.runs.evaluation import Report
from benchmarks.runs.vectors import VectorCache


def kept_pools(
    files: PoolFiles,
    dataset: Dataset,
    setting: PoolSetting,
    cache: VectorCache,
    other_words: OtherWords,
    report: Report,
) -> list[Pool]:
    """The pools of a setting, which are read where they are kept."""
    pools = files.read(cache.name, setting)
    if pools is None:
        pools = make_pools(dataset, [setting], cache.embedder, other_words, report)
        files.write(cache.name, setting, pools)
        cache.save()
    return pools


def company_pools(
    output: Path,
    embedders: Sequence[str],
    report: Report,
    settings: tuple[Sequence[PoolSetting], Sequence[PoolSetting]] = (COMPANIES, PLAIN),
) -> list[Pool]:
    """The pools of both kinds of questions on the databases of companies to choose by, kept in a folder.

    Parameters
    ----------
    settings : two sequences of PoolSetting
        Those of the words of who works there, and those of plain words.
    """
    asked = (companies(held_out=False, unanswered=True, plain=plain) for plain in (False, True))
    return _pools_of(output, embedders, tuple(zip(settings, asked, strict=True)), report)


def small_pools(output: Path, embedders: Sequence[str], report: Report) -> list[Pool]:
    """The pools of small databases to choose by, kept in a folder."""
    return _pools_of(output, embedders, ((SMALL, small(held_out=False)),), report)


def public_pools(
    output: Path, embedders: Sequence[str], spider: Dataset, warehouses: Dataset, report: Report
) -> list[Pool]:
    """The pools that the relevance model is fitted on, of Spider's training questions and of warehouses, kept in a
    folder."""
    return _pools_of(output, embedders, ((SETTINGS, spider), (WAREHOUSES, warehouses)), report)


def wide_pools(output: Path, embedders: Sequence[str], report: Report) -> list[Pool]:
    """The pools of the terse schemas to choose by, and of databases in modules of several ages, kept in a folder."""
    return _pools_of(output, embedders, ((TERSE, terse(held_out=False)), (AGES, ages(held_out=False))), report)


def _pools_of(
    output: Path,
    embedders: Sequence[str],
    asked: Sequence[tuple[Sequence[PoolSetting], Dataset]],
    report: Report,
) -> list[Pool]:
    """The pools of data sets, each in some settings, of every embedder."""
    files, pools = PoolFiles(output / "pools"), list[Pool]()
    for name in embedders:
        cache = VectorCache(name, output / "vectors")
        for settings, dataset in asked:
            for setting in settings:
                pools += kept_pools(files, dataset, setting, cache, lambda word: (), report)
    return pools
