"""One store feeds all prompts, and no prompt has a value of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jar import Index, Reranker
from jar.errors import QueryError
from jar.examples import Demonstrations, ExampleStore, LexicalExamples
from jar.language import LlmDecomposer, SchemaHallucinator
from jar.language.prompts import decomposition_messages, rewrite_messages, schema_messages, show
from jar.multihop import LlmRewriter, ResidualRewriter

QUESTION = "Which female clients own credit cards?"
STORE = ExampleStore(
    [
        {
            "question": "Which owners in Quito own credit cards over 700?",
            "sql": "SELECT T1.owner_name FROM owners AS T1 JOIN creditCards AS T2 ON T1.id = T2.owner "
            "WHERE T1.city = 'Quito' AND T2.amount > 700",
            "database": "wallet",
        },
        {"question": "How many clients are there?", "sql": "SELECT COUNT(*) FROM client"},
        {"question": "What is one and one?", "sql": "SELECT 1 + 1"},
    ]
)
SHOWN = Demonstrations(LexicalExamples(STORE))
SECRETS = ("Quito", "700")


class Silent:
    """A model that is never asked."""

    def complete(self, messages: object) -> str:
        raise AssertionError


def test_subqueries_and_schemas() -> None:
    """Of the columns and tables that the SQL uses; a query without tables shows nothing."""
    case, count = SHOWN(QUESTION)
    assert case.question == "Which owners in _ own credit cards over _?"
    assert case.subqueries == (
        "owners:owner name",
        "owners:id",
        "owners:city",
        "credit cards:owner",
        "credit cards:amount",
    )
    assert case.schema == ("owners(owner_name, id, city)", "creditCards(owner, amount)")
    assert (count.subqueries, count.schema) == (("client",), ("client()",))


def test_cases_of_several_hops() -> None:
    """The first table is found, and the others are missing."""
    case, count = SHOWN.rewrites(QUESTION)
    assert case.found == ("wallet.owners(owner_name, id, city)",)
    assert case.missing == ("wallet.creditCards(owner, amount)",)
    assert (count.found, count.missing) == (("client()",), ())


def test_prompts_have_the_cases(lake_index: Index) -> None:
    """They take the place of those over the sample lake, and hold no value."""
    model = Silent()
    rewriter = LlmRewriter(model, ResidualRewriter(lake_index), examples=SHOWN.rewrites)
    for messages in (
        LlmDecomposer(model, examples=SHOWN).messages(QUESTION),
        SchemaHallucinator(model, examples=SHOWN).messages(QUESTION),
        rewriter.messages(QUESTION, ["bank.client(client_id)"]),
    ):
        text = show(messages)
        assert "own credit cards over _?" in text
        assert "cardiology" not in text
        assert not any(secret in text for secret in SECRETS)


def test_without_examples_prompts_are_as_before(lake_index: Index) -> None:
    """Where nothing is found that can be shown, too."""
    none = Demonstrations(lambda question, k: [])
    assert LlmDecomposer(Silent(), examples=none).messages(QUESTION) == decomposition_messages(QUESTION)
    assert SchemaHallucinator(Silent(), examples=none).messages(QUESTION) == schema_messages(QUESTION)
    rewriter = LlmRewriter(Silent(), ResidualRewriter(lake_index), examples=none.rewrites)
    assert rewriter.messages(QUESTION, ["a(b)"]) == rewrite_messages(QUESTION, ["a(b)"])


def test_examples_in_the_context_of_sql(lake_index: Index) -> None:
    """At the end, as comments: found ones and those of the store without values, pairs as they stand."""
    answer = Reranker(lake_index).rank(QUESTION, 2)
    plain = answer.to_sql_context()
    found = LexicalExamples(STORE)
    text = answer.to_sql_context(examples=found(QUESTION, 1))
    assert text == plain + (
        "\n-- examples\n-- Which owners in _ own credit cards over _?\n"
        "-- SELECT T1.owner_name FROM owners AS T1 JOIN creditCards AS T2 ON T1.id = T2.owner "
        "WHERE T1.city = ? AND T2.amount > ?\n"
    )
    assert answer.to_sql_context(examples=list(STORE[:1])) == text
    assert answer.to_sql_context(examples=lambda question: found(question, 1)) == text
    pair = answer.to_sql_context(examples=[("One\ntwo?", "SELECT 'a'\n-- b\nFROM c")])
    assert pair == plain + "\n-- examples\n-- One two?\n-- SELECT 'a'\n-- -- b\n-- FROM c\n"
    assert answer.to_sql_context(examples=[]) == plain


def test_examples_within_a_budget(lake_index: Index) -> None:
    """They stay while the least text has room for them; then the last goes first, and a comment counts them."""
    answer = Reranker(lake_index).rank(QUESTION, 2)
    pairs = [(f"Question {number}", "SELECT 1") for number in range(3)]
    whole = answer.to_sql_context(examples=pairs, tokenizer=len)
    least = answer.to_sql_context(max_tokens=1, tokenizer=len)
    for budget in range(len(least) // 2, len(whole) + 1, 25):
        text = answer.to_sql_context(examples=pairs, max_tokens=budget, tokenizer=len)
        assert len(text) <= budget or text.startswith("-- longer than")
        told = [number for number in range(3) if f"Question {number}" in text]
        assert told == list(range(len(told)))
        assert (f"{3 - len(told)} example" in text) == (len(told) < 3)
        assert len(told) == 3 or "left out" in text
    assert answer.to_sql_context(examples=pairs, max_tokens=len(whole), tokenizer=len) == whole


@pytest.mark.parametrize("examples", ["text", [1], [("a",)], [("a", 2)], [("", "b")], 7, lambda question: None])
def test_what_is_no_example(lake_index: Index, examples: object) -> None:
    """The error says what examples are."""
    answer = Reranker(lake_index).rank(QUESTION, 2)
    with pytest.raises(QueryError, match=r"examples are those of jar\.examples"):
        answer.to_sql_context(examples=examples)


def test_a_store_on_disk_feeds_prompts(tmp_path: Path) -> None:
    """What is read again makes the same cases."""
    STORE.save(tmp_path / "log.csv")
    again = Demonstrations(LexicalExamples(ExampleStore.from_file(tmp_path / "log.csv")))
    assert again(QUESTION) == SHOWN(QUESTION)
