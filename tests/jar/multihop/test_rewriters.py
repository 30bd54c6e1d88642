"""What rewriters say is missing, with and without a language model, and what a re-ranker makes of the hops."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, QueryError, Reranker
from jar.cli.main import main
from jar.language import PROMPT_VERSION, Message
from jar.language.prompts import REWRITES, RewriteExample, rewrite_messages
from jar.multihop import (
    ConcatenationRewriter,
    LlmRewriter,
    MultiHopRetriever,
    OracleRewriter,
    ResidualRewriter,
    Rewrite,
    Rewriter,
)
from jar.multihop.llm_rewriter import MOST, read_rewrite
from jar.sample import QUESTIONS, sample_columns, sample_frames

BANK = QUESTIONS[0]
TEXTS = [question.text for question in QUESTIONS]
FORMS = ("paper", "released")
DIGESTS = {1: "0c0ee1f92cd984bf"}
"""Of the conversation about missing tables, by version: whoever changes it raises `PROMPT_VERSION`."""


class Toy:
    """A model that says what it is told, and counts what it is asked."""

    name = "toy"

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.asked: list[Sequence[Message]] = []

    def complete(self, messages: Sequence[Message]) -> str:
        self.asked.append(messages)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def signature(index: Index, table: str) -> str:
    return index.signatures[index.contents.table_position[table]]


def test_the_texts_of_a_rewrite_are_a_list() -> None:
    """One text would be taken apart into its letters."""
    with pytest.raises(QueryError, match=r"not one: give \['library loans'\]"):
        Rewrite("library loans")  # type: ignore[arg-type]
    for texts in (3, [None]):
        with pytest.raises(QueryError, match="texts are a list of texts"):
            Rewrite(texts)  # type: ignore[arg-type]
    assert Rewrite(["library loans"]).texts == ["library loans"]  # type: ignore[arg-type, comparison-overlap]


def order(index: Index, question: str) -> list[str]:
    """The tables by the cosines of their signatures."""
    cosines = index.contents.table_vectors @ index.embedder([question])[0]
    return [index.contents.tables[place].id for place in np.argsort(-cosines, kind="stable")]


@pytest.mark.parametrize("form", FORMS)
def test_one_hop_is_the_first_stage(lake_index: Index, form: str) -> None:
    """The order of all tables is that of their cosines, and in the paper's form the scores are the cosines."""
    for question in TEXTS:
        found = MultiHopRetriever(lake_index, hops=1, form=form)(question, 21)
        assert [table for table, _ in found] == order(lake_index, question)
        assert set(found.trace.values()) == {"hop 1"}
        if form == "paper":
            cosines = np.sort(lake_index.contents.table_vectors @ lake_index.embedder([question])[0])[::-1]
            assert [score for _, score in found] == pytest.approx(cosines.tolist())


@pytest.mark.parametrize("form", FORMS)
def test_a_model_that_always_says_none_gives_one_hop(lake_index: Index, form: str) -> None:
    """With the same scores, whatever the number of hops and lists; it is asked in the first hop alone."""
    model = Toy("None")
    rewriter = LlmRewriter(model, ResidualRewriter(lake_index))
    several = MultiHopRetriever(lake_index, rewriter, hops=4, beams=3, form=form)(BANK.text, 21)
    single = MultiHopRetriever(lake_index, hops=1, form=form)(BANK.text, 21)
    assert [table for table, _ in several] == [table for table, _ in single]
    assert [score for _, score in several] == pytest.approx([score for _, score in single])
    assert several.note == ""
    assert len(model.asked) == 3


@pytest.mark.parametrize("answer", [RuntimeError("no"), "Bad gateway", ""])
def test_a_model_that_fails_is_replaced_with_a_note(lake_index: Index, answer: str | Exception) -> None:
    """The proposals are those without a model, and the selection has the reason once."""
    model = Toy(answer)
    broken = MultiHopRetriever(lake_index, LlmRewriter(model, ResidualRewriter(lake_index)), beams=2, hops=3)
    without = MultiHopRetriever(lake_index, beams=2, hops=3)
    assert broken(BANK.text, 10) == without(BANK.text, 10)
    selection = Reranker(lake_index, retriever=broken).rank(BANK.text, 4)
    assert [note for note in selection.notes if "'toy' named no missing tables" in note] == list(selection.notes)
    assert len(selection.notes) == 1
    assert selection.tables == Reranker(lake_index, retriever=without).rank(BANK.text, 4).tables


def test_a_model_is_asked_at_most_b_times_for_each_hop_but_the_last(lake_index: Index) -> None:
    """B (H - 1) times for a question, with the question and the tables of a list, and nothing else."""
    model = Toy("bank.something(else)")
    rewriter = LlmRewriter(model, ResidualRewriter(lake_index))
    MultiHopRetriever(lake_index, rewriter, beams=3, hops=4)(BANK.text, 10)
    assert len(model.asked) == 3 * (4 - 1)
    first = signature(lake_index, order(lake_index, BANK.text)[0])
    assert model.asked[0] == rewriter.messages(BANK.text, [first])
    assert model.asked[0][-1]["content"] == f"{BANK.text}\n\nTables found:\n{first}"


def test_equal_lists_are_asked_for_once(lake_index: Index) -> None:
    """A question that is asked twice costs the requests of one."""
    model = Toy("bank.something(else)")
    retriever = MultiHopRetriever(lake_index, LlmRewriter(model, ResidualRewriter(lake_index)), beams=2, hops=2)
    one, other = retriever.many([BANK.text, BANK.text], 5)
    assert one == other
    assert len(model.asked) == 2


def test_answers_are_read_however_they_are_written() -> None:
    """Lists, fences, thoughts and words around; at most `MOST` tables; what is neither is nothing."""
    wanted = Rewrite(("bank.loan(loan_id, amount)", "bank.account(account_id)"))
    for answer in (
        "bank.loan(loan_id, amount)\nbank.account(account_id)",
        "```\n1. bank.loan(loan_id,  amount)\n2. bank.account(account_id)\n```",
        "<think>None?</think>\n- `bank.loan(loan_id, amount)`\n- `bank.account(account_id)`",
    ):
        assert read_rewrite(answer) == [wanted]
    assert read_rewrite("No additional tables are needed.") == [Rewrite(stop=True)]
    assert read_rewrite("I am sorry, I cannot help.") == []
    assert len(read_rewrite("\n".join(f"t{n}(c)" for n in range(50)))[0].texts) == MOST


def test_the_residual_rewriter_drops_what_the_tables_name(lake_index: Index) -> None:
    """Chunks that no table of the database names better than the list; the others are searched for in its database."""
    question = "Which clients have loans?"
    drops = ResidualRewriter(lake_index, keep_question=False)
    client, loan = signature(lake_index, "bank.client"), signature(lake_index, "bank.loan")
    assert drops(question, [client]) == Rewrite(("bank.loans",))
    assert drops(question, [loan]) == Rewrite(("bank.clients",))
    assert drops(question, [client, loan]) == Rewrite(stop=True)
    assert ResidualRewriter(lake_index)(question, [client]) == Rewrite((f"{question} bank.loans",))
    assert drops("Which clients live in Zanzibar?", [client]) == Rewrite(("bank.Zanzibar",))
    with pytest.raises(QueryError, match="has not all tables of"):
        drops(question, ["no.such(table)"])


@pytest.mark.parametrize("form", FORMS)
def test_an_oracle_finds_every_table(lake_index: Index, form: str) -> None:
    """Also the one that no word of the question means; with a hop more than tables, beside the table of the first hop.

    Each rewrite has the very text of a table, whose cosine is 1, so that the best list keeps the value of its start.
    """
    gold = {question.text: [signature(lake_index, table) for table in question.tables] for question in QUESTIONS}
    retriever = MultiHopRetriever(lake_index, OracleRewriter(gold), hops=5, form=form)
    for question, found in zip(QUESTIONS, retriever.many(TEXTS, 21), strict=True):
        if form == "paper":
            assert {table for table, _ in found[: len(question.tables) + 1]} >= set(question.tables)
        assert {table for table, _ in found[:10]} >= set(question.tables)
    with pytest.raises(QueryError, match="does not know the question"):
        retriever("books of poetry", 5)


def test_concatenation_removes_nothing() -> None:
    """The question and the tables, and it never stops."""
    assert ConcatenationRewriter()("Who?", ["a.b(c)", "a.d(e)"]) == Rewrite(("Who? a.b(c) a.d(e)",))


def test_many_questions_have_the_answers_of_one_by_one_in_one_batch_for_each_hop(lake: Catalog) -> None:
    """The embedder is called once for each hop, however many questions and lists there are."""
    calls: list[int] = []

    def counting(texts: list[str]) -> np.ndarray:
        calls.append(len(texts))
        return np.array([[text.count(letter) for letter in "abcdeilmnorst"] for text in texts], dtype=np.float32)

    index = Index.build(lake, embedder=counting, progress=False)
    retriever = MultiHopRetriever(index, beams=3, hops=3)
    calls.clear()
    together = retriever.many(TEXTS, 10)
    assert len(calls) == 3
    for question, answer in zip(TEXTS, together, strict=True):
        alone = retriever(question, 10)
        assert [table for table, _ in alone] == [table for table, _ in answer]
        assert [score for _, score in alone] == pytest.approx([score for _, score in answer], rel=1e-5)


def test_a_re_ranker_tells_how_tables_were_reached(lake_index: Index) -> None:
    """By hop and list; excluded tables are neither in lists nor in the answer."""
    gold = {BANK.text: [signature(lake_index, table) for table in BANK.tables]}
    retriever = MultiHopRetriever(lake_index, OracleRewriter(gold))
    selection = Reranker(lake_index, retriever=retriever).rank(BANK.text, 4)
    assert set(selection.tables) == set(BANK.tables)
    assert re.fullmatch(r"multihop \(paper form\): hop \d, after .*", selection.retrieval["bank.disposition"])
    without = Reranker(lake_index, retriever=retriever).rank(BANK.text, 3, exclude=["bank.card"])
    assert "bank.card" not in without.tables
    assert not any("bank.card" in origin for origin in without.retrieval.values())


def test_of_a_family_of_tables_one_is_proposed() -> None:
    """As by the package's own first stage."""
    tables = " ".join(f"CREATE TABLE events_2024010{day} (event_id INT, kind TEXT);" for day in range(1, 6))
    catalog = Catalog.from_ddl(f"{tables} CREATE TABLE users (user_id INT, name TEXT);", database="log")
    index = Index.build(catalog, embedder=lambda texts: np.array([[len(text), 1.0] for text in texts]), progress=False)
    found = MultiHopRetriever(index)("events of users", 10)
    assert [table for table, _ in found if table.startswith("log.events")] == ["log.events_20240101"]


@pytest.mark.parametrize("example", REWRITES, ids=[example.question for example in REWRITES])
def test_examples_of_missing_tables_are_true_of_the_sample_lake(example: RewriteExample) -> None:
    """Whole tables of one database; none is a question of the demo."""
    lake = {table: list(columns) for table, columns in sample_columns(rows=10).items()}
    told = [re.fullmatch(r"([\w.]+)\((.*)\)", text).groups() for text in (*example.found, *example.missing)]
    for table, columns in told:
        assert set(columns.split(", ")) == set(lake[table])
    assert len({table.split(".")[0] for table, _ in told}) == 1
    assert example.question not in TEXTS


def test_a_change_of_the_prompt_raises_the_version() -> None:
    """Kept answers to another prompt must not be taken for answers to this one."""
    text = json.dumps(rewrite_messages("?", ["a.b(c)"]))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[PROMPT_VERSION]


def test_a_table_with_a_line_break_in_its_name_is_one_line() -> None:
    """It cannot look like two tables."""
    content = rewrite_messages("Who?", ["a.b\nNone(c)"])[-1]["content"]
    assert content == "Who?\n\nTables found:\na.b None(c)"


def test_a_retriever_is_pickled_with_an_index_that_has_a_path(lake_file: Path) -> None:
    """A worker proposes the same."""
    retriever = MultiHopRetriever(Index.load(lake_file), beams=2)
    assert pickle.loads(pickle.dumps(retriever))(BANK.text, 5) == retriever(BANK.text, 5)


@pytest.fixture(scope="module")
def lake_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index file whose embedder the command line finds by its name."""
    path = tmp_path_factory.mktemp("multihop") / "lake.jar"
    Index.build(Catalog.from_frames(sample_frames(rows=20)), path=path, embedder="static", progress=False)
    return path


def test_the_command_line_has_the_retriever(lake_file: Path) -> None:
    """`jar rank --retriever multihop` proposes candidates with it, and says so."""
    command = ["rank", str(lake_file), BANK.text, "-k", "4", "--retriever", "multihop", "--json"]
    ranked = CliRunner().invoke(main, command)
    assert ranked.exit_code == 0, ranked.output
    retrieval = json.loads(ranked.stdout)["retrieval"]
    assert any(origin.startswith("multihop (paper form): hop") for origin in retrieval.values())


def test_a_rewriter_is_any_function_of_this_form(lake_index: Index) -> None:
    """A plain function is enough."""

    def once(question: str, signatures: Sequence[str]) -> Rewrite:
        return Rewrite(("bank.disposition",), stop=len(signatures) > 1)

    rewriter: Rewriter = once
    found = MultiHopRetriever(lake_index, rewriter)(BANK.text, 21)
    assert len({table for table, _ in found}) == 21
