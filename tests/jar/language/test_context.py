"""What a model is told of the tables: names of the nearest, in bounded length, no value."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index
from jar.language import LanguageModelError, SchemaContext
from jar.language.context import LIMIT
from jar.sample import QUESTIONS, sample_frames

QUESTION = QUESTIONS[0].text


def test_the_nearest_tables_come_first(lake_index: Index) -> None:
    """They are those that the first stage retrieves, in its order."""
    contents = lake_index.contents
    cosines = contents.table_vectors @ lake_index.embedder([QUESTION])[0]
    nearest = [contents.tables[place].id for place in np.argsort(-cosines, kind="stable")]
    assert SchemaContext(lake_index, "tables", count=5)(QUESTION).splitlines() == nearest[:5]
    detailed = SchemaContext(lake_index, "columns", count=99)(QUESTION).splitlines()
    assert [line.partition("(")[0] for line in detailed] == nearest


def test_no_value_of_a_row_is_told(lake_index: Index) -> None:
    """Of all texts in the tables, none that is not also a word of a name is in the context."""
    told = SchemaContext(lake_index, "columns", count=99)(QUESTION)
    names = set(told.replace("(", " ").replace(")", " ").replace(",", " ").replace(".", " ").split())
    values = {str(value) for frame in sample_frames(rows=60).values() for value in frame.to_numpy().ravel()}
    assert len(values) > 1000
    assert not values & names


def test_a_wide_lake_is_told_up_to_the_limit() -> None:
    """Whole lines only, within the limit; a name with a line break is still one line."""
    wide = {
        f"lake.table{number}": pd.DataFrame({f"column_{c}_of_{number}": [1] for c in range(60)}) for number in range(40)
    }
    wide["lake.odd\nlake.table99(secret)"] = pd.DataFrame({"a\nb": [1]})
    index = Index.build(Catalog.from_frames(wide), embedder=lambda texts: np.ones((len(texts), 2)), progress=False)
    told = SchemaContext(index, count=99)("anything")
    assert LIMIT / 2 < len(told) <= LIMIT
    assert all(line.startswith("lake.") and line.endswith(")") for line in told.splitlines())
    everything = SchemaContext(index, "tables", count=99)("anything").splitlines()
    assert len(everything) == 41
    assert "lake.odd lake.table99(secret)" in everything


def test_an_unknown_detail_names_the_choices(lake_index: Index) -> None:
    """Rows are none of them."""
    with pytest.raises(LanguageModelError, match="'rows': choose one of tables, columns"):
        SchemaContext(lake_index, "rows")
