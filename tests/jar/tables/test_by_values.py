"""Tables that are candidates as a value of theirs means what the question says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.tables import meant
from jar.tables.first_stage import BY_VALUES, LEAST, MEANT

QUESTION = "Which parcels were sent back by the customer?"


def depot(**more: Any) -> Index:
    """A list of states among many tables about parcels, with which it has no word in common."""
    about = ["weight", "height", "width", "colour", "label", "carrier", "driver", "van", "route", "stop", "scan", "fee"]
    names = [f"parcel_{word}_{kind}" for word in about for kind in ("daily", "weekly", "planned")]
    frames = {f"depot.{name}": pd.DataFrame({"parcel": [1, 2], "customer": [3, 4]}) for name in names}
    frames["depot.cf_zz"] = pd.DataFrame({"zz": [7, 8, 9], "tx": ["Returned by client", "Shipped", "Lost"]})
    return Index.build(Catalog.from_frames({**frames, **more}), embedder="distilled", progress=False)


def test_a_list_of_what_the_question_means_is_a_candidate() -> None:
    """Beside those of the first stage, unless their number is given, or it is left out."""
    reranker = Reranker(depot())
    result = reranker.rank(QUESTION, k=3, require=["cf_zz"])
    assert result.retrieval["depot.cf_zz"] == "required"
    origins = _origins(reranker)
    assert origins["depot.cf_zz"] == MEANT
    assert len(origins) > LEAST
    assert "depot.cf_zz" not in _origins(Reranker(reranker.index, candidates=20))
    assert "depot.cf_zz" not in _origins(reranker, exclude=["cf_zz"])


def test_few_of_them_are_candidates_and_none_of_a_huge_index(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = ["qx", "kb", "wj", "uz", "om", "fe", "ig"]
    states = {
        f"depot.cf_{end}": pd.DataFrame({f"{end}_k": [7, 8], f"{end}_t": [f"Returned {end}", "Lost"]}) for end in ends
    }
    index = depot(**states)
    assert list(_origins(Reranker(index)).values()).count(MEANT) == BY_VALUES
    monkeypatch.setattr(meant, "MOST_VALUES", 3)
    assert MEANT not in _origins(Reranker(index)).values()


def _origins(reranker: Reranker, **wishes: Any) -> dict[str, str]:
    """How each candidate came in, by its id."""
    from jar.tables.query import Ask, read_limits
    from jar.tables.table_ranker import TableRanker

    ranker = reranker._ranker()
    assert isinstance(ranker, TableRanker)
    (asked,) = ranker.read([Ask(QUESTION)])
    contents = reranker.index.contents
    limits = read_limits(contents, (), wishes.get("exclude", ()), ())
    problem = ranker.problem(asked, 3, ranker.pool.least(3), limits)
    ids = [contents.tables[table].id for table in np.asarray(problem.tables).tolist()]
    return dict(zip(ids, problem.found.origins, strict=True))
