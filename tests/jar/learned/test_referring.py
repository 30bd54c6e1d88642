"""Which candidates refer to which, beside loops over columns."""

from __future__ import annotations

from math import exp
from statistics import fmean, pstdev

import numpy as np
import pandas as pd
import pytest

from jar import Catalog, Index, Reranker
from jar.learned.candidates_seen import Candidates
from jar.learned.referring import answering
from jar.tables.query import Ask, Conditions

QUESTION = "Which complaints are open, who is handling them, and which customer do they come from?"
DDL = """
CREATE TABLE usr (usr_no INTEGER PRIMARY KEY, full_name TEXT, email TEXT);
CREATE TABLE cust (cust_no INTEGER PRIMARY KEY, title TEXT, city TEXT);
CREATE TABLE depot (depot_no INTEGER PRIMARY KEY, title TEXT, chief_usr_no INTEGER REFERENCES usr);
CREATE TABLE complaint (
  complaint_no INTEGER PRIMARY KEY, opened DATE, handled_by INTEGER REFERENCES usr, cust_no INTEGER REFERENCES cust
);
"""


@pytest.fixture(scope="module")
def declared() -> Index:
    return Index.build(Catalog.from_ddl(DDL, database="desk"), embedder="distilled")


def seen_by(index: Index, question: str = QUESTION) -> tuple[Candidates, list[str]]:
    """What the model sees of all tables, and their names."""
    ranker = Reranker(index)._ranker()
    (query,) = ranker.read([Ask(question)])
    problem = ranker.problem(query, 2, len(index), Conditions().limits)
    assert problem.judged is not None
    return problem.judged.seen, [index.contents.tables[table].name for table in problem.tables.tolist()]


def test_a_child_refers_to_its_parent_and_to_nothing_else(declared: Index) -> None:
    """By declared keys; no parent refers to its children."""
    seen, names = seen_by(declared)
    found = {(names[child], names[parent]) for parent, child in zip(*np.nonzero(seen.refers), strict=True)}
    assert found == {("complaint", "usr"), ("complaint", "cust"), ("depot", "usr")}
    assert (seen.refers[seen.refers > 0] == 1.0).all()
    assert (seen.answers <= seen.refers).all()
    place = names.index("usr")
    assert names[int(np.argmax(seen.answers[place]))] == "complaint"


def test_rows_and_names_tell_what_refers_to_what_without_declared_keys() -> None:
    """A column that holds the values of a key, and one named after a table without rows."""
    frames = {
        "desk.usr": pd.DataFrame({"usr_no": range(1, 41), "mail": [f"{n}@desk.org" for n in range(40)]}),
        "desk.ticket": pd.DataFrame({"ticket_no": range(500, 700), "handled_by_usr": [1 + n % 40 for n in range(200)]}),
    }
    with_rows = Index.build(Catalog.from_frames(frames), embedder="distilled")
    bare = "CREATE TABLE usr (usr_id INTEGER, mail TEXT); CREATE TABLE ticket (ticket_id INTEGER, usr_id INTEGER);"
    by_name = Index.build(Catalog.from_ddl(bare, database="desk"), embedder="distilled")
    for index in (with_rows, by_name):
        seen, names = seen_by(index, "Who handles the tickets?")
        user, ticket = names.index("usr"), names.index("ticket")
        assert seen.refers[user, ticket] == pytest.approx(seen.joins[user, ticket])
        assert seen.refers[user, ticket] > 0.3
        assert seen.refers[ticket, user] == 0


def test_a_vetoed_reference_is_none() -> None:
    """Vetoes are of joins, and so of references."""
    index = Index.build(Catalog.from_ddl(DDL, database="desk"), embedder="distilled")
    index.veto_join("desk.complaint.handled_by", "desk.usr.usr_no")
    seen, names = seen_by(index)
    assert seen.refers[names.index("usr"), names.index("complaint")] == 0
    assert seen.answers[names.index("usr"), names.index("complaint")] == 0


def test_the_best_answer_to_a_sub_query_is_worth_most() -> None:
    """Beside a loop: exp of the standard deviations behind the best, of the sub-query where that is least."""
    fine = np.random.default_rng(2).normal(size=(3, 17))
    standing = [[(one - fmean(row)) / pstdev(row) for one in row] for row in fine.tolist()]
    told = [max(exp(row[column] - max(row)) for row in standing) for column in range(17)]
    np.testing.assert_allclose(answering(fine), told)
    assert answering(fine).max() == 1.0
    assert answering(np.zeros((0, 4))).tolist() == [0.0] * 4
