"""`MultiHopRetriever`: hops of search and rewriting, for tables that the words of a question do not lead to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from jar.index.lookup import positions_within
from jar.multihop.forms import find_form
from jar.multihop.hops import Search
from jar.multihop.residual import ResidualRewriter
from jar.multihop.rewriting import rewrite_all
from jar.proposals.retrieval import Proposals
from jar.tables.query import check_question, check_size
from jar.text.embedding import load_embedder

if TYPE_CHECKING:
    from jar.index.contents import IndexContents
    from jar.index.index import Index
    from jar.multihop.rewriting import Rewriter

__all__ = ["MultiHopRetriever"]

TOGETHER = 64
"""Questions whose texts are compared with the tables at once: their cosines are in memory together."""


class MultiHopRetriever:
    """Retrieves tables in several hops (MURRE: Zhang, Wang, Dou, Zhu and Che, COLING 2025, arXiv 2402.10666).

    The first hop compares the question with the signature of every table, s(t) = cos. Each of the best lists of tables
    then gets texts of its own from the rewriter, which says what the list leaves open, and the next hop searches for
    these. With one hop it is a plain search by cosines. What a table is worth in the end: `jar.multihop.forms`.

    Parameters
    ----------
    index : Index
    rewriter : Rewriter, optional
        ``(question, signatures) -> Rewrite``; by default `ResidualRewriter`, which needs no model.
    beams, hops : int
        B, the lists that go on to the next hop, and H. The rewriter is asked at most B (H - 1) times for a question.
    form : "paper" or "released"
        That of the paper, or that of the code that its authors published.
    embedder : optional
        The embedder of questions and rewrites; by default that of the index, which it has to match.

    Raises
    ------
    QueryError
        When a number or the form cannot be used.
    """

    full_ids = True

    def __init__(
        self,
        index: Index,
        rewriter: Rewriter | None = None,
        *,
        beams: int = 5,
        hops: int = 3,
        form: str = "paper",
        embedder: Any = None,
    ) -> None:
        self.index = index
        self.rewriter: Rewriter = ResidualRewriter(index) if rewriter is None else rewriter
        self.beams, self.hops = check_size(beams, "beams"), check_size(hops, "hops")
        self.form = find_form(form)
        self.embedder = index.embedder if embedder is None else index.check_embedder(load_embedder(embedder))

    def __call__(self, question: str, count: int, *, exclude: Collection[str] = ()) -> Proposals:
        """The `count` best tables, without those in `exclude`, with their scores and how each was reached.

        Raises
        ------
        QueryError
            When the question is empty, or an excluded table unknown.
        """
        return self._proposals([question], count, exclude)[0]

    def many(self, questions: Sequence[str], count: int) -> list[Proposals]:
        """The answers to many questions; the texts of each hop are embedded together."""
        return self._proposals(questions, count)

    def _proposals(self, questions: Sequence[str], count: int, exclude: Collection[str] = ()) -> list[Proposals]:
        check_size(count, "count")
        contents = self.index.contents
        excluded = positions_within(contents, exclude)
        searches = [self._search(contents, question, excluded) for question in questions]
        for hop in range(1, self.hops + 1):
            open_ = [search for search in searches if not search.ended]
            self._find(contents, open_)
            if hop < self.hops:
                self._rewrite(open_)
        return [search.proposals(contents, count) for search in searches]

    def _search(self, contents: IndexContents, question: str, excluded: Sequence[int]) -> Search:
        text = check_question(question)
        hidden = contents.families.asked(text, (), excluded).hidden
        allowed = np.ones(len(contents.tables), dtype=np.bool_)
        allowed[[*excluded, *hidden]] = False
        return Search(text, self.form, self.beams, allowed)

    def _find(self, contents: IndexContents, searches: Sequence[Search]) -> None:
        """One hop: the similarity of all tables to the texts of all lists."""
        texts = list(dict.fromkeys(text for search in searches for text in search.texts))
        vectors = self.embedder(texts)
        row = {text: place for place, text in enumerate(texts)}
        for start in range(0, len(searches), TOGETHER):
            together = searches[start : start + TOGETHER]
            cosines = vectors[[row[text] for search in together for text in search.texts]] @ contents.table_vectors.T
            ends = np.cumsum([len(search.texts) for search in together])
            for search, part in zip(together, np.split(cosines, ends[:-1]), strict=True):
                search.find(part)

    def _rewrite(self, searches: Sequence[Search]) -> None:
        """Choose the lists that go on, and ask for what they leave open."""
        for search in searches:
            search.choose()
        asked = [
            (search.question, tuple(self.index.signatures[table] for table in made.tables))
            for search in searches
            for made in search.unasked
        ]
        answers = iter(rewrite_all(self.rewriter, asked))
        for search in searches:
            search.go_on([next(answers) for _ in search.unasked])

    def __repr__(self) -> str:
        return f"MultiHopRetriever(beams={self.beams}, hops={self.hops}, form={self.form.name!r}, {self.rewriter!r})"
