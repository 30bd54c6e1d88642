"""Values of tables that a question names: found by a naive loop alike, kept private, kept right by a refresh."""

from __future__ import annotations

import re
import unicodedata
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jar import Catalog, Index, JarError, Reranker
from jar.index.file import open_index
from jar.tables.relevance import value_relevance
from jar.text.stop_words import STOP_WORDS
from jar.text.word_runs import folded_words
from jar.values.collect_values import ValueCollector
from jar.values.known_values import PER_COLUMN, is_telling
from joinability import Column, ColumnStatistics, Table, TableStatistics
from joinability.spelling.common_words import word_ranks
from tests.jar.conftest import toy_embedder

CITIES = ["Bad Tölz", "New York", "York", "Saint-Étienne", "O'Brien's Town", "of the", "12", "Ab", "x"]
PEOPLE = ["Anna Étoile", "Bob", "YORK", "New York", 'naïve "quoted" man', "city", "\U0001f600", "a" * 500]


def build(frames: dict[str, Any], **options: Any) -> Index:
    """An index of frames, without a model."""
    return Index.build(Catalog.from_frames(frames), embedder=toy_embedder, progress=False, **options)


def places(people: list[Any] = PEOPLE) -> dict[str, Any]:
    """Two databases of three tables."""
    return {
        "geo.places": pd.DataFrame({"city": CITIES, "size": range(len(CITIES))}),
        "geo.persons": pd.DataFrame({"label": people, "home": (CITIES * 2)[: len(people)]}),
        "shop.branches": pd.DataFrame({"town": ["New York", "Rom", "Paris"]}),
    }


def folded(text: str) -> str:
    """The comparison form of a text, letter by letter."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", plain)
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words)


def naive_relevance(frames: dict[str, Any], question: str) -> dict[str, float]:
    """val_i by trying every run of words of a question without quotes against every cell, then against beginnings."""
    cells = {
        table: {folded(v) for column in frame for v in frame[column] if isinstance(v, str) and 3 <= len(v) <= 80}
        for table, frame in frames.items()
    }
    begun = {
        table: {
            " ".join(words[:n])
            for words in map(str.split, values)
            for n in range(1, len(words))
            if _is_telling(" ".join(words))
        }
        for table, values in cells.items()
    }
    within = {
        table: {
            word for value in values for word in value.split() if " " in value and len(word) > 2 and _is_telling(word)
        }
        for table, values in cells.items()
    }
    kinds = {"whole": cells, "begun": begun, "within": within}
    names = {w for t, f in frames.items() for n in (t.split(".")[1], *f.columns) for w in folded(n).split()}
    words = re.findall(r"[^\W_]+", question)
    taken = [False] * len(words)
    named: dict[tuple[str, str], float] = {}
    for size, kind in product(range(6, 0, -1), kinds):
        for start in range(len(words) - size + 1):
            value = " ".join(folded(word) for word in words[start : start + size])
            found = any(value in values for values in kinds[kind].values())
            if any(taken[start : start + size]) or not _is_telling(value) or not found:
                continue
            capital = [not word.islower() and not (place == 0 and word.istitle()) for place, word in enumerate(words)]
            first = capital[start] or (
                start == 0 and size > 1 and words[0].istitle() and capital[1] and words[0].lower() not in STOP_WORDS
            )
            is_name = first and capital[start + size - 1]
            if all(word in names for word in value.split()) and not (is_name and size > 1):
                continue
            if kind == "begun" and not (is_name and len(value.replace(" ", "")) > 2):
                continue
            taken[start : start + size] = [True] * size
            is_common = not word_ranks().keys().isdisjoint((value, words[start].casefold()))
            marked = size > 1 or capital[start] or not is_common
            weight = 1.0 if marked and kind != "within" else 0.5
            named[value, kind] = max(named.get((value, kind), 0.0), weight)
    scores = dict.fromkeys(frames, 0.0)
    for (value, kind), weight in named.items():
        owners = [table for table, values in kinds[kind].items() if value in values]
        for table in owners:
            same = [other for other in owners if other.split(".")[0] == table.split(".")[0]]
            scores[table] += weight / len(same) ** 0.5
    return scores


def _is_telling(value: str) -> bool:
    words = value.split()
    return len(words) <= 6 and any(len(w) > 1 and not w.isnumeric() and w not in STOP_WORDS for w in words)


WORDS = "New new York york Rom rom bad Bad Tölz tolz Étoile anna Anna Saint O Of city persons the of Paris".split()


@given(st.lists(st.sampled_from(WORDS), max_size=9))
@settings(max_examples=60, deadline=None)
def test_values_count_as_a_naive_loop_says(words: list[str]) -> None:
    """Longest runs first, rare values more, a value once, words of names not at all."""
    contents = index_of_places().contents
    question = " ".join(words)
    found = value_relevance(contents, contents.mentions(question))
    expected = naive_relevance(places(), question)
    np.testing.assert_allclose(found, [expected[table.id] for table in contents.tables])


_CACHE: list[Index] = []


def index_of_places() -> Index:
    """The index of `places`, built once."""
    if not _CACHE:
        _CACHE.append(build(places()))
    return _CACHE[0]


def test_quotes_come_first_and_may_be_names() -> None:
    """A quoted value is one even where its words are a column's name; it wins over a longer run that crosses it."""
    contents = index_of_places().contents
    assert [m.text for m in contents.mentions("persons labelled 'city'")] == ["city"]
    assert [m.text for m in contents.mentions("who lives in new 'York'?")] == ["new", "York"]
    assert [m.text for m in contents.mentions("in O'Brien's Town?")] == ["O'Brien's Town"]


def test_a_name_of_words_of_the_schema_may_be_a_value() -> None:
    """Several words that look like a name are; one word, or words in small letters, are tables and columns."""
    departments = pd.DataFrame({"code": [1, 2, 3], "title": ["Customer Support", "Finance", "Customer"]})
    frames = {"a.customer": pd.DataFrame({"customer": [1], "support": [2]}), "a.department": departments}
    contents = build(frames).contents

    def named(question: str) -> list[str]:
        return [mention.text for mention in contents.mentions(question)]

    assert named("Who works in Customer Support?") == named("Customer Support in numbers") == ["Customer Support"]
    assert named("which customer support is open?") == named("the Customer, Support too") == named("a Customer") == []


@pytest.mark.parametrize("question", ["", "?", "''", '"', "‘’“”", "' OR 1=1 --", "\x00", "\U0001f600", "a" * 10_000])
def test_odd_questions_name_nothing_and_do_no_harm(question: str) -> None:
    """Quotes, symbols and long words."""
    assert index_of_places().contents.mentions(question) == []


def test_a_huge_cell_and_a_full_column_are_bounded() -> None:
    """Long texts stay out, and a column keeps so many values at most."""
    names = [f"person number {i} here" for i in range(2 * PER_COLUMN)]
    texts = ["long " * 10_000, *["too long to be a value " * 10] * (len(names) - 1)]
    frame = pd.DataFrame({"name": names, "text": texts})
    index = build({"a.t": frame})
    assert len(index.contents.values) == PER_COLUMN


def test_hashed_keeps_no_text_that_the_profiles_do_not_keep(tmp_path: Path) -> None:
    """No value but the samples and the extremes of the profiles is in the bytes of the file; plain has them all."""
    secrets = [f"Geheim{i:03d}wort Straße" for i in range(300)]
    frames = {"a.t": pd.DataFrame({"street": secrets})}
    paths = {kind: tmp_path / f"{kind}.jar" for kind in ("off", "hashed", "plain")}
    for kind, path in paths.items():
        build(frames, path=path, values=kind)
    with open_index(paths["hashed"]) as connection:
        row = connection.execute("SELECT samples, minimum, maximum FROM profiles").fetchone()
        assert row is not None
        profiled = {*row[0], row[1], row[2]}
        assert connection.execute("SELECT count(*) FROM known_values WHERE text IS NOT NULL").fetchone() == (0,)
    data = paths["hashed"].read_bytes()
    assert [text for text in secrets if text not in profiled and text.encode() in data] == []
    assert [text for text in secrets if text not in profiled and " ".join(folded_words(text)).encode() in data] == []
    assert [text for text in secrets if text not in profiled and folded_words(text)[0].encode() in data] == []
    assert Index.load(paths["plain"], embedder=toy_embedder).contents.values.texts
    assert not len(Index.load(paths["off"], embedder=toy_embedder).contents.values)


def test_a_refresh_is_as_a_new_index(tmp_path: Path) -> None:
    """Changed, added and dropped tables, and another setting, leave what a new build has."""

    def values(index: Index) -> list[list[tuple[int, str]]]:
        known, names = index.contents.values, index.contents.column_names
        return [
            sorted((key, names[column]) for key, column in zip(some.hashes.tolist(), some.columns, strict=True))
            for some in (known.whole, known.starts)
        ]

    path = tmp_path / "i.jar"
    build(places(), path=path)
    changed = places(PEOPLE[::-1][:4]) | {"geo.new": pd.DataFrame({"v": ["Neustadt"]})}
    del changed["shop.branches"]
    assert values(build(changed, path=path)) == values(build(changed))
    assert not len(build(changed, path=path, values="off").contents.values)
    plain = build(changed, path=path, values="plain")
    assert values(plain) == values(build(changed))
    assert [m.text for m in plain.contents.mentions("in NEUSTADT")] == ["Neustadt"]


def test_a_name_may_be_a_value_in_part() -> None:
    """Names and quoted strings are; what begins a sentence, stands in small letters or crosses a comma is not."""
    frames = {"a.client": pd.DataFrame({"company": ["Meridian Pharma GmbH", "List & Sons", "Étude Nord SA"]})}
    contents = build(frames | {"a.other": pd.DataFrame({"v": ["x"]})}).contents

    def begun(question: str) -> list[str]:
        return [mention.text for mention in contents.mentions(question) if mention.named_by == "beginning"]

    assert begun("What discount does Meridian Pharma get?") == ["Meridian Pharma"]
    assert begun("who bought from Meridian, Pharma or Étude?") == ["Meridian", "Étude"]
    assert begun("all orders of 'meridian pharma'") == ["meridian pharma"]
    assert begun("What is open? List it. Meridian and pharma") == []
    assert begun("what does meridian pharma owe") == begun("Meridian owes what") == begun("Pharma GmbH, SA") == []
    assert [m.named_by for m in contents.mentions("who is Meridian Pharma GmbH?")] == ["itself"]
    assert begun("Meridian Pharma owes how much?") == ["Meridian Pharma"]
    works = build({"a.work": pd.DataFrame({"title": ["Der Rosenkavalier", "The Queen of Spades", "La"]})}).contents
    assert [m.text for m in works.mentions("costumes of Rosenkavalier or the Queen")] == ["Rosenkavalier", "Queen"]
    assert [m.text for m in works.mentions("seats for Queen of Spades")] == ["Queen of Spades"]
    assert begun("'Meridian' pharma owes") == ["Meridian"]
    words = build(frames | {"a.sector": pd.DataFrame({"label": ["Pharma", "Meridian Pharma"]})}).contents
    assert [m.named_by for m in words.mentions("who is Meridian Pharma?")] == ["itself"]
    words = build(frames | {"a.sector": pd.DataFrame({"label": ["Pharma", "Steel"]})}).contents
    assert [m.text for m in words.mentions('what has "Meridian Pharma"?')] == ["Meridian Pharma"]
    selection = Reranker(build(frames)).rank("What discount does Meridian Pharma get?", k=1)
    assert 'has a value that begins with "Meridian Pharma" in company' in selection.explain()
    assert selection.to_dict()["values"][0]["named_by"] == "beginning"


def test_a_word_may_stand_for_a_value_of_several() -> None:
    """Of columns with few words: kinds of things, not texts; in the plural too, and not where it is a value itself."""
    kinds = ["Wheelchair, can climb steps", "Vegan meal", "Unaccompanied minor", "Pet in cabin", "Mobility"]
    texts = [f"remark {number} on wheelchair" + f" word{number}" * 2 for number in range(300)]
    frames = {"a.service": pd.DataFrame({"label": kinds}), "a.note": pd.DataFrame({"text": texts})}
    contents = build(frames | {"a.part": pd.DataFrame({"label": ["Meal", "Wheel"]})}).contents

    def said(question: str) -> list[tuple[str, list[str]]]:
        found = [mention for mention in contents.mentions(question) if mention.named_by == "word"]
        return [(m.text, [contents.column_name(column) for column in m.columns.tolist()]) for m in found]

    assert said("Where do we need most wheelchairs?") == [("wheelchairs", ["a.service.label"])]
    assert said("meals, mobility, can we in it") == []
    told = Reranker(build({"a.service": frames["a.service"]})).rank("flights with pets", k=1)
    assert told.to_dict()["values"][0]["named_by"] == "word"
    assert 'has a value with the word "pets" in label' in told.explain()


def test_samples_are_values() -> None:
    """By themselves and by their words."""
    told = {"label": ColumnStatistics(sample_values=("Wheelchair, can climb steps", "Vegan meal"))}
    table = Table("a", "service", (Column("label", "TEXT"),), statistics=TableStatistics(100, told))
    index = Index.build(Catalog([table]), embedder=toy_embedder, progress=False)
    assert [m.named_by for m in index.contents.mentions("a vegan meal and a wheelchair")] == ["itself", "word"]


def test_a_nationality_names_the_country() -> None:
    """By any of its names, unless the adjective is a value itself."""
    frames = {
        "a.country": pd.DataFrame({"name": ["Denmark", "United States", "USA", "The Netherlands"]}),
        "a.speech": pd.DataFrame({"language": ["Danish", "French"]}),
        "a.trip": pd.DataFrame({"goal": ["USA", "Oslo", "Paris"]}),
    }
    contents = build({table: frames[table] for table in ("a.country", "a.trip")}).contents

    def tables(question: str) -> list[tuple[str, list[str]]]:
        found = [mention for mention in contents.mentions(question) if mention.named_by == "nationality"]
        return [(m.text, [contents.tables[contents.owner[column]].id for column in m.columns]) for m in found]

    assert tables("Which Danish or dutch firms went?") == [("Danish", ["a.country"]), ("dutch", ["a.country"])]
    assert tables("American and American trips") == [("American", ["a.country", "a.trip"])]
    assert tables("Swiss and Thai trips of South American firms") == []
    contents = build({"a.c": pd.DataFrame({"n": ["Denmark", "Poland"]})}).contents
    mentions = contents.mentions("danish and polish firms")
    assert [(mention.text, mention.weight) for mention in mentions] == [("danish", 1), ("polish", 0.5)]
    contents = build(frames).contents
    assert [(m.text, m.named_by) for m in contents.mentions("talks in Danish")] == [("Danish", "itself")]
    told = Reranker(build(frames)).rank("French trips of American people", k=3).explain()
    assert 'has the country that is "American" in goal' in told


def test_an_index_without_values_opens_and_ranks(tmp_path: Path) -> None:
    """As files have it that were written before values were kept."""
    path = tmp_path / "i.jar"
    build(places(), path=path)
    with open_index(path, write=True) as connection:
        connection.execute("DROP TABLE value_starts")
    assert len(Index.load(path, embedder=toy_embedder).contents.values)
    with open_index(path, write=True) as connection:
        connection.execute("DROP TABLE known_values")
    index = Index.load(path, embedder=toy_embedder)
    assert not len(index.contents.values)
    assert Reranker(index).rank("who lives in New York?", k=2).values == ()


def test_the_answer_names_the_value_and_its_column() -> None:
    """In the selection, its dictionary and its explanation."""
    selection = Reranker(index_of_places()).rank("Who is called Anna Etoile?", k=1)
    assert selection.tables == ("geo.persons",)
    assert [(v.text, v.column) for v in selection.values] == [("Anna Etoile", "geo.persons.label")]
    assert 'has the value "Anna Etoile" in label' in selection.explain()
    assert selection.to_dict()["values"][0]["table"] == "geo.persons"
    assert selection.retrieval == {"geo.persons": "relevance"}


def test_all_values_are_bounded_alike(tmp_path: Path) -> None:
    """min(n_c, L) values stay of each column, with the greatest L that fits."""
    path = tmp_path / "i.jar"
    sizes = {"a": 5, "b": 40, "c": 60}
    build({f"d.{n}": pd.DataFrame({"v": [f"wert {n} {i}" for i in range(s)]}) for n, s in sizes.items()}, path=path)
    for most in (200, 70, 30, 9, 2):
        best = max(L for L in range(101) if sum(min(s, L) for s in sizes.values()) <= most or L == 0)
        with open_index(path, write=True) as connection:
            ValueCollector(connection, "hashed").bound(most)
            rows = connection.execute("SELECT count(*) FROM known_values GROUP BY column_id").fetchall()
        assert sorted(n for (n,) in rows) == sorted(m for s in sizes.values() if (m := min(s, best)))


def test_an_unknown_setting_is_said_before_any_work() -> None:
    """With the settings that there are."""
    with pytest.raises(JarError, match='"hashed"'):
        build(places(), values="encrypted")


@given(st.text(max_size=40))
def test_folding_is_stable(text: str) -> None:
    """Folded words are words; what is telling is short."""
    words = folded_words(text)
    assert all(words)
    assert not is_telling(words * 7) or not words
