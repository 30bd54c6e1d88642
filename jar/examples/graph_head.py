"""`GraphHead`: from the graph of a question to the shape of its SQL, by weights fitted on training databases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

import numpy as np

from jar.arrays import Vectors
from jar.examples.question_graph import GraphSchema, path_terms, question_graph
from jar.examples.question_terms import QUESTION_RUN, delexicalised, runs, term_rows
from jar.examples.structure_head import StructureHead

__all__ = ["GraphHead", "shipped_graph_head"]

FILE = "graph_head.npz"


class GraphHead(StructureHead):
    """A `StructureHead` that sees the paths of a question's graph beside its words.

    Its question terms are runs of words and `path_terms`; x is the runs (of norm 1) and beside them the paths (of norm
    1), all else is as there. h(x) is one layer of weights over two steps of a relational graph convolution.
    """

    def graph_vectors(self, questions: Sequence[str], schemas: Sequence[GraphSchema]) -> Vectors:
        """h of n questions, each asked of its own schema, shape (n, r)."""
        phrases, paths = [], []
        for question, schema in zip(questions, schemas, strict=True):
            phrases.append(runs(delexicalised(question, self._kept), QUESTION_RUN))
            paths.append(path_terms(question_graph(question, schema, self._kept)))
        terms = [term_rows(texts, self._question_places) for texts in (phrases, paths)]
        vectors = sum(part.times(self.question_weights) for part in terms) + self.question_offset
        return np.asarray(vectors, dtype=np.float32)


@cache
def shipped_graph_head() -> GraphHead:
    """The head that comes with the package."""
    with as_file(files("jar.examples") / FILE) as path:
        return GraphHead.load(path)
