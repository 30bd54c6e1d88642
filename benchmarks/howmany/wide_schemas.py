"""Fits what counts in wide schemas: the other weights of equation (8) of `jar.sizes.set_model`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from benchmarks.howmany.held_tables import fit_held
from benchmarks.howmany.more_tables import fit_more, needs_of
from benchmarks.howmany.set_fitting import PATH, PENALTY, Lesson, fit_set_model, wide_document, write_model
from benchmarks.learning.ablation import HELD_OUT
from benchmarks.learning.model_fit import second_odds
from benchmarks.learning.pools import Pool
from jar.learned.relevance_model import RelevanceModel, shipped_model
from jar.sizes.set_model import SetModel, load_set_model


def lessons_of_companies(pools: Iterable[Pool], relevance: RelevanceModel) -> list[Lesson]:
    """The pools of companies that have a part in the fit; the relevance model was fitted on no company."""
    return [Lesson(pool, second_odds(relevance, pool)) for pool in pools if pool.fold != HELD_OUT]


def with_wide(model: SetModel, lessons: Sequence[Lesson], penalty: float = PENALTY) -> SetModel:
    """With weights for wide schemas, fitted to lessons on such, around those for schemas without declared keys."""
    wide = fit_set_model(lessons, penalty, model.undeclared or model)
    wide = replace(wide, more=fit_more(needs_of(lesson.pool for lesson in lessons)))
    return replace(model, wide=replace(wide, held=fit_held(lessons, wide)))


def refit_wide(pools: Iterable[Pool]) -> dict[str, object]:
    """Write these weights anew to the data file of the package, whose others and whose relevance model stay."""
    lessons = lessons_of_companies(pools, shipped_model())
    document: dict[str, object] = json.loads(PATH.read_text("utf-8"))
    document["wide"] = wide_document(with_wide(load_set_model(), lessons), lessons)
    write_model(document)
    return document
