"""`SchemaFilter` keeps what lies above thresholds that fall as the wished recall rises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, JarError, QueryError
from jar.late import FilteredSchema, LateRelevance, SchemaFilter, add_token_vectors
from jar.late.filter_model import Calibration, FilterModel, shipped_filter
from jar.late.schema_evidence import COLUMN_FEATURES, TABLE_FEATURES
from jar.learned.relevance_model import RelevanceModel, Stage
from tests.jar.late.conftest import ENCODER

QUESTION = "Which library members have loans of books?"


def by_late(tables: list[float], columns: list[float]) -> FilterModel:
    """A model that looks at late interaction alone, with these calibrations."""
    table = Stage(0.0, np.array([float(name == "late") for name in TABLE_FEATURES]))
    column = Stage(0.0, np.array([float(name == "late") for name in COLUMN_FEATURES]))
    told = Calibration(np.array(tables)), Calibration(np.array(columns))
    return FilterModel(RelevanceModel.blank(), table, column, *told)


def test_thresholds_are_those_of_a_new_question() -> None:
    """Of 4 questions one may fall below with a recall of 4 in 5; more than 4 questions vouch for needs them all."""
    calibration = Calibration(np.array([-3.0, -2.0, -1.0, 0.0]))
    assert [calibration.threshold(recall) for recall in (0.2, 0.4, 0.6, 0.8)] == [0.0, -1.0, -2.0, -3.0]
    assert calibration.threshold(0.81) == calibration.threshold(1.0) == -np.inf
    assert calibration.threshold(0.01) == 0.0
    assert Calibration(np.zeros(0)).threshold(0.5) == -np.inf


@pytest.mark.parametrize("seed", range(5))
def test_thresholds_fall_as_recall_rises_and_keep_what_they_shall(seed: int) -> None:
    """Whatever the scores: so many of the questions stay whole."""
    least = np.sort(np.random.default_rng(seed).normal(size=211))
    recalls = np.linspace(0.02, 1, 50)
    thresholds = [Calibration(least).threshold(recall) for recall in recalls]
    assert thresholds == sorted(thresholds, reverse=True)
    assert all((least >= threshold).mean() >= recall for recall, threshold in zip(recalls, thresholds, strict=True))


def test_what_is_kept_lies_above_the_thresholds(late_index: Index) -> None:
    """Tables by late interaction within their database, columns likewise, best first."""
    late = LateRelevance(late_index)
    ids = [table.id for table in late_index.contents.tables]
    own = [place for place, table in enumerate(ids) if table.startswith("library.")]
    scores = late.tables(QUESTION)[own]
    edge = float(np.sort(scores - scores.max())[1])
    kept = SchemaFilter(late_index, 0.5, late=late, model=by_late([edge], [-1e-9]))(QUESTION, "library")
    expected = [place for place in np.argsort(-scores, kind="stable") if scores[place] - scores.max() >= edge]
    assert list(kept.tables) == [ids[own[place]] for place in expected]
    assert len(kept.tables) == kept.all_tables - 1
    for table in kept.tables:
        assert len(kept.columns_of(table)) >= 1
    assert kept.scores[kept.tables[0]] == 0
    assert kept.columns_of("library.none") == ()


def test_what_is_kept_grows_with_recall_up_to_everything(late_index: Index) -> None:
    """With the model of the package."""
    before: FilteredSchema | None = None
    for recall in (0.05, 0.5, 0.8, 0.9, 0.98, 0.995, 1.0):
        kept = SchemaFilter(late_index, recall)(QUESTION, "library")
        if before is not None:
            assert set(before.tables) <= set(kept.tables)
            assert set(before.columns) <= set(kept.columns)
        before = kept
    assert before is not None
    assert (len(before.tables), len(before.columns)) == (before.all_tables, before.all_columns)
    assert all(table.startswith("library.") for table in before.tables)


def test_columns_may_have_a_recall_of_their_own(late_index: Index) -> None:
    """All tables, and of each its best column at least."""
    kept = SchemaFilter(late_index, 1, columns=0.01)(QUESTION, "library")
    assert len(kept.tables) == kept.all_tables
    assert len(kept.tables) <= len(kept.columns) < kept.all_columns


def test_many_questions_have_the_same_answers(late_index: Index) -> None:
    """Each of its own database."""
    filter_ = SchemaFilter(late_index)
    asked = [(QUESTION, "library"), ("Which clients own cards?", "bank")]
    alone = [filter_(*one) for one in asked]
    together = filter_.many([question for question, _ in asked], [database for _, database in asked])
    assert [kept.tables for kept in together] == [kept.tables for kept in alone]
    assert [kept.columns for kept in together] == [kept.columns for kept in alone]
    assert together[1].to_dict()["tables"][0]["table"] == alone[1].tables[0]
    with pytest.raises(QueryError, match="one for each"):
        filter_.many([QUESTION], [])


def test_sharded_tables_stay_together() -> None:
    """The tables of a family that the question does not tell apart are kept, or gone, as one."""
    frame = pd.DataFrame({"visitor": ["a", "b"], "page": ["x", "y"]})
    frames = {f"web.visits_2020{month:02}": frame for month in range(1, 6)}
    frames["web.prices"] = pd.DataFrame({"euro": [1]})
    index = Index.build(Catalog.from_frames(frames), embedder=ENCODER, progress=False)
    add_token_vectors(index, progress=False)
    kept = SchemaFilter(index, 0.5, model=by_late([0.0], [0.0]))("How many visits by visitor and page?", "web")
    assert sorted(kept.tables) == [f"web.visits_2020{month:02}" for month in range(1, 6)]
    assert kept.all_tables == 6


def test_what_cannot_be_used_is_an_error(late_index: Index, lake: Catalog) -> None:
    """It names what there is."""
    for recall in (0, 1.01, True, "most", float("nan")):
        with pytest.raises(QueryError, match="share of questions"):
            SchemaFilter(late_index, recall)  # type: ignore[arg-type]
    with pytest.raises(QueryError, match=r"no database 'liberry'.*library"):
        SchemaFilter(late_index)(QUESTION, "liberry")
    with pytest.raises(QueryError, match="empty"):
        SchemaFilter(late_index)(" ", "library")
    with pytest.raises(QueryError, match="no token vectors"):
        SchemaFilter(Index.build(lake, embedder=ENCODER, progress=False))


def test_models_are_files(tmp_path: Path) -> None:
    """What is saved is loaded; another text is refused."""
    model = by_late([-2.0, -1.0], [-3.0])
    model.save(tmp_path / "filter.json")
    loaded = FilterModel.load(tmp_path / "filter.json")
    assert loaded.tables.least.tolist() == [-2.0, -1.0]
    assert loaded.table.weights.tolist() == model.table.weights.tolist()
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(JarError, match="no model of the schema filter"):
        FilterModel.load(tmp_path / "other.json")


def test_the_model_of_the_package_never_saw_development() -> None:
    """It was calibrated on databases that its weights did not see, and says so; late interaction counts for it."""
    model = shipped_filter()
    assert model.card["fitted_on"]["databases"] > 4 * model.card["calibrated_on"]["databases"] - 10
    assert len(model.tables.least) == model.card["calibrated_on"]["questions"]
    assert model.table.weights[TABLE_FEATURES.index("late")] > 0
