"""What a language model is asked: our own words, with examples over the sample lake.

`PROMPT_VERSION` is part of the key of every kept answer. Raise it with each change of these texts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from jar.language.model import Message

__all__ = [
    "EXAMPLES",
    "PROMPT_VERSION",
    "REWRITES",
    "Example",
    "RewriteExample",
    "decomposition_messages",
    "rewrite_messages",
    "schema_messages",
    "show",
]

PROMPT_VERSION = 1

DECOMPOSITION = """\
You prepare questions for a search over database tables. Take the user's question apart into sub-queries. Each names
one thing that some table has to hold so that the question can be answered, written as "concept:attribute": the concept
is what a row of that table stands for, the attribute is the column that is shown, compared, counted or summed. Where
the question asks for no particular column of a concept, write the concept alone.

- Use plain words, the question's own where they fit; no abbreviations, no identifiers.
- A value stands for its column: "clients from Berlin" gives "client:city", not "client:Berlin".
- Leave out words of arithmetic and order (average, how many, highest): they say what to do with the rows.
- One sub-query for each thing, at most 8, no two alike.

Answer with a JSON array of strings and nothing else."""

SCHEMA = """\
You prepare questions for a search over database tables. Imagine the smallest relational schema that could answer the
user's question: the tables that hold what it asks for, the tables that link them, and of each table only the columns
that the answer or a join needs. Nothing is known of the real schema; likely names will do.

Answer with one table on each line, written as table(column, column), and nothing else."""

REWRITING = """\
You prepare questions for a search over database tables. Some tables have been found for the user's question, each
written as database.table(column, column). Say which tables are still missing before the question can be answered:
those that hold what it asks for, and those that link the tables that it needs. You do not see the other tables; likely
names will do. What a found table holds already is not missing.

Answer with one missing table on each line, written as database.table(column, column), and nothing else. Answer None
where no table is missing."""

KNOWN = """\

These tables exist; prefer their words where they fit, and leave out those that the question does not need:
"""


@dataclass(frozen=True)
class Example:
    """A question about the sample lake, its sub-queries, and the part of the lake that answers it."""

    question: str
    subqueries: tuple[str, ...]
    schema: tuple[str, ...]


EXAMPLES = (
    Example(
        "How many patients born before 1960 had an appointment in the cardiology department?",
        ("patient:birth date", "appointment:department"),
        ("patients(patient_code, birth_date)", "appointments(appointment_id, patient_code, department)"),
    ),
    Example(
        "Show the titles of all books that members borrowed in 2022 and have not returned.",
        ("book:title", "member", "loan:borrowed on", "loan:returned on"),
        (
            "books(shelf_mark, title)",
            "members(member_id)",
            "loans(loan_id, member_id, shelf_mark, borrowed_on, returned_on)",
        ),
    ),
    Example(
        "What is the total weight of the shipments that left depots in the south?",
        ("shipment:weight", "depot:region"),
        ("shipments(shipment_id, depot_code, weight_kg)", "depots(depot_code, region)"),
    ),
    Example(
        "Which subscribers use a 5G SIM card?",
        ("subscriber", "SIM card:network"),
        ("subscribers(account_id)", "sim_cards(card_id, account_id, network)"),
    ),
)
"""None of them is a question of the demo, so that a model's answers there are its own."""


@dataclass(frozen=True)
class RewriteExample:
    """A question about the sample lake, tables of the lake that were found for it, and those that are missing."""

    question: str
    found: tuple[str, ...]
    missing: tuple[str, ...]


REWRITES = (
    RewriteExample(
        EXAMPLES[0].question,
        ("clinic.patients(patient_code, first_name, last_name, gender, birth_date)",),
        ("clinic.appointments(appointment_id, patient_code, department, held_on)",),
    ),
    RewriteExample(
        EXAMPLES[1].question,
        ("library.books(shelf_mark, title, author, genre)",),
        (
            "library.loans(loan_id, member_id, shelf_mark, borrowed_on, returned_on)",
            "library.members(member_id, first_name, last_name, gender, birth_date, joined_on)",
        ),
    ),
    RewriteExample(
        "How heavy was the heaviest shipment of 2022?",
        ("logistics.shipments(shipment_id, depot_code, weight_kg, sent_on)",),
        (),
    ),
    RewriteExample(
        EXAMPLES[3].question,
        (
            "telecom.sim_cards(card_id, account_id, network, activated_on)",
            "telecom.subscribers(account_id, first_name, last_name, gender, birth_date, tariff)",
        ),
        (),
    ),
)


def decomposition_messages(question: str, tables: str = "", examples: Sequence[Example] = ()) -> list[Message]:
    """The conversation that asks for sub-queries.

    Parameters
    ----------
    tables : str
        Tables that the model may know of, a line each; empty: it sees the question alone.
    examples : sequence of Example
        Cases with their answers; without any those over the sample lake.
    """
    cases = examples or EXAMPLES
    answers = [(example.question, json.dumps(example.subqueries, ensure_ascii=False)) for example in cases]
    return _conversation(DECOMPOSITION, answers, question, tables)


def schema_messages(question: str, tables: str = "", examples: Sequence[Example] = ()) -> list[Message]:
    """The conversation that asks for a schema; parameters as in `decomposition_messages`."""
    answers = [(example.question, "\n".join(example.schema)) for example in examples or EXAMPLES]
    return _conversation(SCHEMA, answers, question, tables)


def rewrite_messages(
    question: str, signatures: Sequence[str], examples: Sequence[RewriteExample] = ()
) -> list[Message]:
    """The conversation that asks which tables are missing beside those of the signatures.

    Cases are those given, or without any those over the sample lake.
    """
    cases = examples or REWRITES
    answers = [(_found(example.question, example.found), "\n".join(example.missing) or "None") for example in cases]
    return _conversation(REWRITING, answers, _found(question, signatures), "")


def show(messages: Sequence[Message]) -> str:
    """Messages as text to read: who says what, in order."""
    return "\n\n".join(f"--- {message['role']} ---\n{message['content']}" for message in messages)


def _conversation(task: str, answers: Sequence[tuple[str, str]], question: str, tables: str) -> list[Message]:
    system = f"{task}\n{KNOWN}{tables}" if tables else task
    messages: list[Message] = [{"role": "system", "content": system}]
    for asked, answer in answers:
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return [*messages, {"role": "user", "content": question}]


def _found(question: str, signatures: Sequence[str]) -> str:
    # A line is a table: a name with a line break in it must not look like two.
    lines = (" ".join(signature.split()) for signature in signatures)
    return "\n".join((question, "", "Tables found:", *lines))
