"""Fits what counts elsewhere than in narrow schemas of slim tables, asked in their words: other weights of the model of
sets where schemas are wide, where tables are broad, where hardly any join is known, and for questions in words of their
own; in wide schemas, and for such questions, other stages of the relevance model as well."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.howmany.held_tables import fit_held
from benchmarks.howmany.more_tables import fit_more, needs_of
from benchmarks.howmany.set_fitting import (
    NEGATIVES,
    PATH,
    PENALTY,
    UNANSWERED_IN_OWN_WORDS,
    Lesson,
    fit_set_model,
    part_document,
    wide_documents,
    wide_parts,
    write_model,
)
from benchmarks.learning.ablation import HELD_OUT
from benchmarks.learning.model_card import fitted_on
from benchmarks.learning.model_fit import PATH as RELEVANCE
from benchmarks.learning.model_fit import cross_validated_stages, fit_stages
from benchmarks.learning.pools import Pool
from jar.learned.relevance_model import shipped_model
from jar.learned.width import own_words_share
from jar.sizes.set_model import SetModel, load_set_model

Array = npt.NDArray[np.float64]


OWN = 0.5
"""The least share of its own words (`own_words_share`) from which a question on other than small databases teaches what
they weigh."""


def in_own_words(pools: Iterable[Pool]) -> list[Pool]:
    """Those pools whose question is in words of its own, but for those of databases that no set is fitted to."""
    return [pool for pool in pools if pool.fold != HELD_OUT and own_words_share(pool.seen) >= OWN]


def lessons_of_companies(pools: Sequence[Pool], odds: Sequence[Array]) -> list[Lesson]:
    """The pools of companies that have a part in the fit, with log-odds of models without their databases."""
    return [Lesson(pool, row) for pool, row in zip(pools, odds, strict=True) if pool.fold != HELD_OUT]


def with_wide(model: SetModel, lessons: Sequence[Lesson], penalty: float = PENALTY) -> SetModel:
    """With three sets of weights for wide schemas, fitted to lessons on such: with rows, around the weights for
    undeclared keys; without rows and keys, around those for that case; without rows but with declared keys, around
    those for declared keys."""
    undeclared = model.undeclared or model
    around = undeclared, model.undeclared_without_rows or undeclared, model
    found = {
        name: _fit_all(part, near, penalty) if part else None
        for (name, part), near in zip(wide_parts(lessons).items(), around, strict=True)
    }
    return replace(model, **found)


def with_broad(model: SetModel, lessons: Sequence[Lesson], penalty: float = PENALTY) -> SetModel:
    """With weights for broad tables, fitted to lessons on such around those for schemas without declared keys."""
    return replace(model, broad=_around_undeclared(model, lessons, penalty))


def with_loose(model: SetModel, lessons: Sequence[Lesson], penalty: float = PENALTY) -> SetModel:
    """With weights for schemas of which hardly any join is known, fitted to lessons on such around those for schemas
    without declared keys."""
    return replace(model, loose=_around_undeclared(model, lessons, penalty))


def with_own_words(model: SetModel, lessons: Sequence[Lesson], penalty: float = PENALTY) -> SetModel:
    """With weights for questions in words of their own, fitted to lessons on such around those for schemas without
    declared keys. `UNANSWERED_IN_OWN_WORDS` of these have no answer."""
    around = model.undeclared or model
    return replace(model, own_words=_fit_all(lessons, around, penalty, UNANSWERED_IN_OWN_WORDS))


def _around_undeclared(model: SetModel, lessons: Sequence[Lesson], penalty: float) -> SetModel:
    return _fit_all(lessons, model.undeclared or model, penalty)


def _fit_all(
    lessons: Sequence[Lesson], around: SetModel, penalty: float, unanswered: float = NEGATIVES
) -> SetModel:
    fitted = fit_set_model(lessons, penalty, around, unanswered)
    fitted = replace(fitted, more=fit_more(needs_of(lesson.pool for lesson in lessons)))
    return replace(fitted, held=fit_held(lessons, fitted))


def refit_wide(pools: Sequence[Pool], parts: Sequence[Pool]) -> dict[str, object]:
    """Fit the weights for wide schemas anew, and write them to both data files of the package; all others stay.

    Parameters
    ----------
    pools, parts : sequences of Pool
        Of companies, and of parts of them.

    Returns
    -------
    dict
        What the data file of the model of sets holds now.
    """
    relevance = shipped_model()
    lessons = lessons_of_companies(pools, cross_validated_stages(relevance, pools, wide=pools, broad=parts))
    card = relevance.card | {"wide": fitted_on(pools)}
    replace(relevance, wide=fit_stages(pools), card=card).save(RELEVANCE)
    document: dict[str, object] = json.loads(PATH.read_text("utf-8"))
    document |= wide_documents(with_wide(load_set_model(), lessons), lessons)
    write_model(document)
    return document


def refit_own_words(pools: Sequence[Pool]) -> dict[str, Any]:
    """Fit the weights for questions in words of their own anew, and write them to both data files of the package; all
    others stay.

    Parameters
    ----------
    pools : sequence of Pool
        Of such questions.

    Returns
    -------
    dict
        What the data file of the model of sets holds now.
    """
    relevance = shipped_model()
    odds = cross_validated_stages(relevance, pools, own_words=pools)
    lessons = [Lesson(pool, row) for pool, row in zip(pools, odds, strict=True)]
    card = relevance.card | {"own_words": fitted_on(pools)}
    replace(relevance, own_words=fit_stages(pools), card=card).save(RELEVANCE)
    document: dict[str, Any] = json.loads(PATH.read_text("utf-8"))
    document["own_words"] = part_document(with_own_words(load_set_model(), lessons), "own_words", lessons)
    document["recipe"]["unanswered_in_own_words"] = UNANSWERED_IN_OWN_WORDS
    write_model(document)
    return document
