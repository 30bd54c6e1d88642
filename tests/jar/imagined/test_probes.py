"""Imagined schemas in every notation that models answer with: the same probes, and never an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar.errors import QueryError
from jar.imagined.markup import read_json
from jar.imagined.probes import LONGEST_TEXT, MOST_PROBES, Probe, parse_schema, read_probes

BANK = ["client.id", "client.gender", "card.type"]

NOTATIONS = {
    "numbered": "Here is a minimal schema:\n1. client(id, gender)\n2. card(type)\n\nThese join on id.",
    "no closing bracket": "client(id, gender\ncard(type",
    "one line": "client(id, gender), card(type)",
    "bullets": "- client (id, gender)\n- card (type)",
    "bold": "**client**(id, gender)\n**card** (type)",
    "in a sentence": "One needs client(id, gender) and, for the kind (or type) of card, card(type).",
    "ddl": "```sql\nCREATE TABLE IF NOT EXISTS client (\n  id INT PRIMARY KEY, -- the key, unique\n"
    "  gender CHAR(1) NOT NULL\n);\n"
    "create table main.card (type VARCHAR(20), FOREIGN KEY (type) REFERENCES kinds(type), CHECK (type > ''));"
    "\n```",
    "ddl cut short": "CREATE TABLE client (\n  id INT,\n  gender TEXT\n);\nCREATE TABLE card (\n  type TEXT",
    "json": 'Sure!\n```json\n{"tables": [{"name": "client", "columns": [{"name": "id", "type": "INT"}, "gender"]}, '
    '{"table_name": "card", "columns": ["type"]}]}\n```',
    "json by table": '{"client": ["id", "gender"], "card": {"type": "VARCHAR (20)"}}',
    "json cut short": '{"client": ["id", "gender"], "card": ["type',
    "json schema": '{"client": {"type": "object", "properties": {"id": {}, "gender": {}}}, '
    '"card": {"columns": "type"}}',
    "json by column": '[{"table": "client", "column": "id"}, {"table": "client", "column": "gender"}, '
    '{"table_name": "card", "column_name": "type"}]',
    "python": "['client(id, gender)', 'card(type)']",
    "headings": "### Table: client\n- `id`: how it is known\n- gender (text)\n\n### Table: card\n* type – its kind",
    "bold headings": "**client**\n- id\n- gender\n\n**card:**\n- type",
    "nested list": "1. client\n   - id\n   - gender: m or f\n2. card\n   - type",
    "yaml": "tables:\n  client:\n    - id\n    - gender\n  card:\n    - type",
    "labels": "Table: client\nColumns: id, gender\n\nTable 2: card\nColumns: type",
    "table of tables": "| Table | Columns |\n|---|---|\n| client | id, gender |\n| card | type |",
    "table of columns": "#### client\n\n| Column | Type |\n|:--|--:|\n| id | INT |\n| gender | CHAR |\n\ncard: type",
    "colons": "client: id, gender\ncard: type",
    "arrows": "client -> id, gender\ncard -> type",
    "dotted": "client.id, client.gender, card.type",
    "dotted list": "- client.id\n- client.gender\n- `card`.`type`",
}


@pytest.mark.parametrize("text", NOTATIONS.values(), ids=NOTATIONS.keys())
def test_a_schema_reads_alike_in_every_notation(text: str) -> None:
    """The tables client(id, gender) and card(type) are found, and nothing else."""
    assert [str(probe) for probe in parse_schema(text)] == BANK


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. client\n2. card", ["client", "card"]),
        ("- client: what is known of people\n- card: type, issued", ["client", "card.type", "card.issued"]),
        ("1. Étudiants(numéro)\n2. 学校(编号, 名称)", ["Étudiants.numéro", "学校.编号", "学校.名称"]),
        ("a(`FRPM Count (K-12)`, \"Meals (K-12)\", T-BIL)", ["a.FRPM Count (K-12)", "a.Meals (K-12)", "a.T-BIL"]),
        ('CREATE TABLE "order items" ("unit price" DECIMAL(10, 2))', ["order items.unit price"]),
        ("a(birth date, opened on DATE, name: string, ...)", ["a.birth date", "a.opened on", "a.name"]),
        ("Values(card_name, value)", ["Values.card_name", "Values.value"]),
        ("client(id, ID, Id)", ["client.id"]),
        ("client(client.id, Client.gender)", ["client.id", "client.gender"]),
        ("client(*)\ncard(...)", ["client", "card"]),
        ("bank.client.gender, bank.card.type", ["client.gender", "card.type"]),
        ("a) client(id)\nb) card(type)", ["client.id", "card.type"]),
        ("// the bank\nclient(id) / card(type)", ["client.id", "card.type"]),
        ("\ufeffbank\\_client(client\\_id)", ["bank_client.client_id"]),
        ("client\uff08id\uff0cgender\uff09", ["client.id", "client.gender"]),
        ("I would need a table of clients and one with the cards that they own.", []),
        ("SELECT COUNT(id) FROM client WHERE gender IN (1, 2)", []),
        ("<schema>\nclient(id)\n</schema>", ["client.id"]),
        ("<ul><li><b>client</b>(id)</li><li>card: type</li></ul>", ["client.id", "card.type"]),
        ("<think>perhaps loan(amount)?</think>client(id)", ["client.id"]),
        ("client(ids List<int>, name varchar)", ["client.ids List", "client.name"]),
        ('{"status": ["id"], "error": ["code"]}', ["status.id", "error.code"]),
        ("client\ncard", ["client", "card"]),
        ("client", ["client"]),
        ("None", []),
        ("Sorry.", []),
        ("OK", []),
        ("Yes.\nNo.\nMaybe!", []),
        ("body { color: red; margin: 0 }", []),
        ('{"error": {"message": "too many requests", "type": "limit"}}', []),
        ('{"error": "model not found"}', []),
        ('{"detail": "Not Found"}', []),
        ("<html><head><title>502 Bad Gateway</title></head>\n<body>\n<h1>502</h1>nginx (Ubuntu)\n</body></html>", []),
        ("<!DOCTYPE html>\n<p>client(id, gender)</p>", []),
        ("<?xml version='1.0'?>\n<Error><Code>AccessDenied</Code></Error>", []),
        ("cl\udfffient(\ud83did)", ["cl?ient.?id"]),
        (" \n", []),
        ("", []),
        ("((((]]]}}}{{{\"'`\x00", []),
    ],
)  # fmt: skip
def test_names_are_read_without_what_surrounds_them(text: str, found: list[str]) -> None:
    """Quotes, types, comments, tags go, names of any script stay; prose, pages and failures give nothing."""
    assert [str(probe) for probe in parse_schema(text)] == found


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab1(){}[],.:;|\"'`-*#\n\\ é学", max_size=300))
def test_garbage_is_no_error(text: str) -> None:
    """Any text gives probes with a name each, no two alike without regard to case."""
    probes = parse_schema(text)
    assert len({probe.text for probe in probes}) == len(probes)
    assert all(probe.table.strip() for probe in probes)


@pytest.mark.parametrize(
    "unit", ["(", "a(", "a(1.", "x ('", '{"a', "[[", "| a ", "- a\n", "create table a ", '\\"', "a:\n"]
)
def test_what_is_read_of_a_megabyte_is_bounded(unit: str) -> None:
    """Of a long answer only the start counts, and no more than a fixed number of probes comes of it."""
    text = unit * (1_000_000 // len(unit))
    assert parse_schema(text) == parse_schema(text[:LONGEST_TEXT])
    assert len(parse_schema("".join(f"t{n}(c{n})\n" for n in range(5000)))) == MOST_PROBES


@pytest.mark.timeout(30)
@pytest.mark.parametrize("unit", ['"', "**", "/*", "`", "_", " ", "=", "a:", "Columns ", "a - "])
def test_no_answer_is_read_for_minutes(unit: str) -> None:
    """No run of marks or blanks makes a pattern try its parts in as many ways as there are of them."""
    for start in ("", "columns", "### a\n- b"):
        assert len(parse_schema((start + unit * LONGEST_TEXT)[: LONGEST_TEXT - 1] + "/")) <= MOST_PROBES


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.text(alphabet="ab \"'\\,:[]{}", max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab\\\"'", max_size=3), inner, max_size=4),
    ).filter(lambda value: not isinstance(value, str))
)  # fmt: skip
def test_the_tolerant_reader_reads_json(document: object) -> None:
    """What JSON can write is read back as it was, and any beginning of it without an error."""
    text = json.dumps(document)
    assert read_json(text) == [document]
    for end in range(0, len(text), 3):
        read_json(text[:end])


def test_the_answers_of_the_data_set_are_read(data_folder: Path) -> None:
    """Each of the 1,534 imagined schemas of CRUSH gives its columns, in order, also on one line or as JSON."""
    entries = json.loads((data_folder / "bird" / "crush_questions.json").read_text(encoding="utf-8"))
    for entry in entries[::5]:
        lines = entry["question_decomposition_hallucinate_schema_bird"]
        wanted = [
            f"{line.partition('(')[0].strip()}.{column.strip()}".lower()
            for line in lines
            for column in line.strip()[:-1].partition("(")[2].split(",")
        ]
        for text in ("\n".join(lines), ", ".join(lines), json.dumps(lines)):
            assert [probe.text for probe in parse_schema(text)] == list(dict.fromkeys(wanted))


def test_probes_of_a_caller_come_in_any_form() -> None:
    """A text, a list of names, of pairs or of probes mean the same."""
    wanted = (Probe("client", "gender"), Probe("card"))
    for given_ in ("client(gender)\n1. card", ["client.gender", "card"], [("client", "gender"), ("card", "")], wanted):
        assert read_probes(given_) == wanted
    assert read_probes(["shop.client.gender"])[0].text == "shop.client.gender"
    assert read_probes({"client": ["gender"], "card": []}) == wanted
    assert read_probes(["cl\udfffient"])[0].text == "cl?ient"
    assert read_probes(["."]) == read_probes([]) == read_probes("") == read_probes([" ", ("", "")]) == ()


@pytest.mark.parametrize("entry", [3, ("a",), ("a", 3), None])
def test_what_is_no_probe_is_refused(entry: object) -> None:
    """Anything else is an error that says what probes are."""
    with pytest.raises(QueryError, match="probes are"):
        read_probes([entry])
    with pytest.raises(QueryError, match="probes are"):
        read_probes(3)  # type: ignore[arg-type]
