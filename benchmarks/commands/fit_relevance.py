"""``python -m benchmarks fit-relevance``: fit the models of relevance and of sets on training questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
import pandas as pd

from benchmarks.commands.options import DATA, OUTPUT, WORDNET, NameList, OutputPath, clock
from benchmarks.data.datasets import load_dataset
from benchmarks.data.layout import data_root
from benchmarks.data.wild.companies import companies
from benchmarks.data.wild.thesaurus import read_thesaurus
from benchmarks.howmany.held_tables import fit_held
from benchmarks.howmany.more_tables import fit_more, needs_of
from benchmarks.howmany.set_figures import answers_frame, answers_of_lessons, show_sizes, unanswered_text
from benchmarks.howmany.set_fitting import PATH as SETS
from benchmarks.howmany.set_fitting import (
    Lesson,
    fit_set_model,
    model_document,
    undeclared_parts,
    wide_parts,
    with_undeclared,
    write_model,
)
from benchmarks.howmany.set_model_page import write_weights
from benchmarks.howmany.wide_schemas import (
    in_own_words,
    lessons_of_companies,
    with_broad,
    with_loose,
    with_own_words,
    with_wide,
)
from benchmarks.learning.ablation import HELD_OUT, ablate
from benchmarks.learning.kept_pools import company_pools, kept_pools, small_pools, wide_pools
from benchmarks.learning.model_card import model_card
from benchmarks.learning.model_fit import PATH, cross_validated, fit_model, fit_stages
from benchmarks.learning.pool_files import PoolFiles
from benchmarks.learning.pool_settings import (
    COMPANIES,
    PARTS,
    PLAIN_PARTS,
    REWORDED,
    SETTINGS,
    UNDECLARED,
    WAREHOUSES,
    PoolSetting,
)
from benchmarks.learning.pools import Pool
from benchmarks.runs.evaluation import Report
from benchmarks.runs.vectors import VectorCache
from jar.sizes.mixing import has_declared
from jar.sizes.set_model import SetModel

WEIGHTS = {"weight": 2.0, "within": 1.0, "join": 6.0, "join_within": 4.0}
"""What log-odds weigh over several databases and within one, and what joins weigh beside them; docs/relevance.md says
by what they are chosen."""


@click.command("fit-relevance")
@DATA
@OUTPUT
@click.option("--embedders", type=NameList(), default="static,minilm", show_default=True, help="Pools of each of them.")
@click.option("--part", type=click.IntRange(1), default=1, show_default=True, help="Every so many-th question alone.")
@click.option("--to", "folder", type=OutputPath(folder=True), help="Write both models there, not to the package.")
@WORDNET
@click.option("--ablation", is_flag=True, help="Cross-validate with and without each family of features as well.")
def fit_relevance(
    data: str | None,
    output: Path,
    embedders: list[str],
    part: int,
    folder: Path | None,
    wordnet: Path,
    ablation: bool,
) -> None:
    """Fit the relevance model on Spider's training questions in many settings and on warehouses, and by its log-odds
    the model of how many tables a question needs, to more settings and to databases as companies have them; write both
    to the package.

    The same data give the same models. Pools and vectors of texts are kept in DIR, so that a run that was stopped
    goes on with the setting where it was.
    """
    report, thesaurus = clock(), read_thesaurus(wordnet)
    spider, own = load_dataset("spider-training", data_root(data)), companies(held_out=False, unanswered=True)
    warehouses = load_dataset("spider2-tuning", data_root(data))
    pools: list[Pool] = []
    others: list[Pool] = []
    for name in embedders:
        cache = VectorCache(name, output / "vectors")
        for setting in (*SETTINGS, *UNDECLARED, *REWORDED, *COMPANIES, *WAREHOUSES):
            some = replace(setting, questions=max(setting.questions // part, 1))
            dataset = own if setting in COMPANIES else warehouses if setting in WAREHOUSES else spider
            found = kept_pools(PoolFiles(output / "pools"), dataset, some, cache, thesaurus.other_words, report)
            (pools if setting in (*SETTINGS, *WAREHOUSES) else others).extend(found)
    companies_asked = company_pools(output, embedders, report) + wide_pools(output, embedders, report)
    parts_asked = company_pools(output, embedders, report, (PARTS, PLAIN_PARTS))
    teachers = TeachingPools(pools, others, parts_asked, companies_asked, small_pools(output, embedders, report))
    model = replace(fit_model(pools), **{kind: fit_stages(some) for kind, some in teachers.of_kinds.items()})
    path = PATH if folder is None else folder / PATH.name
    path.parent.mkdir(parents=True, exist_ok=True)
    card = model_card(pools, teachers.of_kinds, embedders)
    replace(model, **WEIGHTS, card=card).save(path)
    report(f"written: {path}")
    fit_sets(teachers, embedders, output, report, folder)
    if ablation:
        for line in ablate(pools, report):
            print(line)


class TeachingPools(NamedTuple):
    """The pools that models are fitted on.

    Attributes
    ----------
    relevance, sets : sequences of Pool
        Those of the relevance model, and those that the model of sets is fitted on besides.
    parts, companies : sequences of Pool
        Of parts of companies, for broad tables, and of companies, for wide schemas.
    small : sequence of Pool
        Of small databases, whose questions are in words of their own.
    """

    relevance: Sequence[Pool]
    sets: Sequence[Pool]
    parts: Sequence[Pool]
    companies: Sequence[Pool]
    small: Sequence[Pool]

    @property
    def of_kinds(self) -> dict[str, Sequence[Pool]]:
        """Those of the stages of the relevance model that count in some schemas alone, or for some questions."""
        return {"broad": self.parts, "wide": self.companies, "loose": self.loose, "own_words": self.own_words}

    @property
    def own_words(self) -> list[Pool]:
        """Those whose questions are in words of their own: of the first some, and of small databases all."""
        return [*in_own_words(self.relevance), *self.small]

    @property
    def loose(self) -> list[Pool]:
        """Those of the first of which hardly any join is known."""
        return [pool for pool in self.relevance if _is_of(WAREHOUSES, pool)]


def fit_sets(
    teachers: TeachingPools, embedders: Sequence[str], output: Path, report: Report, folder: Path | None = None
) -> None:
    """Fit the model of sets on log-odds of models without the databases of a pool, and show what it chooses on the
    databases that it was not fitted on."""
    relevance, sets, parts, companies, small = teachers
    odds = cross_validated(relevance, others=[*sets, *small], **teachers.of_kinds)
    asked = [*relevance, *sets, *small, *parts]
    found = [Lesson(pool, held_out) for pool, held_out in zip(asked, odds[: len(asked)], strict=True)]
    wide = lessons_of_companies(companies, odds[len(asked) :])
    own, of_small = set(map(id, teachers.own_words)), set(map(id, small))
    own_words = [lesson for lesson in found if id(lesson.pool) in own]
    lessons = [lesson for lesson in found if id(lesson.pool) not in of_small]
    taught, bare = (
        [lesson for lesson in lessons if lesson.pool.fold != HELD_OUT and has_declared(lesson.pool.seen) is declared]
        for declared in (True, False)
    )
    more = fit_more(needs_of(lesson.pool for lesson in [*taught, *bare]))
    fitted = replace(with_undeclared(fit_set_model(taught), bare), more=more)
    fitted = with_wide(replace(fitted, held=fit_held([*taught, *bare], fitted)), wide)
    broad, loose = (
        [lesson for lesson in [*taught, *bare] if _is_of(settings, lesson.pool)]
        for settings in ((*PARTS, *PLAIN_PARTS), WAREHOUSES)
    )
    fitted = with_own_words(with_loose(with_broad(fitted, broad), loose), own_words)
    others = {**undeclared_parts(bare), **wide_parts(wide), "broad": broad, "loose": loose, "own_words": own_words}
    document = model_document(fitted, taught, {"embedders": list(embedders)}, **others)
    report(f"written: {write_model(document, SETS if folder is None else folder / SETS.name)}")
    if folder is None:
        write_weights(document)
    held = [lesson for lesson in lessons if lesson.pool.fold == HELD_OUT]
    model, shown = SetModel.of(document), {}
    for setting in dict.fromkeys(lesson.pool.setting for lesson in held):
        some = [lesson for lesson in held if lesson.pool.setting == setting]
        shown[setting] = answers_frame(answers_of_lessons(some, model))
    held_out = pd.concat(shown.values())
    show_sizes({**shown, "all": held_out}, output / "howmany-held-out.json")
    report(unanswered_text(held_out))


def _is_of(settings: Sequence[PoolSetting], pool: Pool) -> bool:
    """Whether a pool is of one of some settings, whatever the embedder."""
    return pool.setting.partition(", ")[2] in {setting.name for setting in settings}
