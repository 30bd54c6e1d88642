"""Questions in other words: values stay, a word always has the same other one, and WordNet's files are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.data.wild.rewording import reworded
from benchmarks.data.wild.thesaurus import read_thesaurus
from benchmarks.data.wild.wordnet import WordNetMissingError

OTHERS = {"singer": ("vocalist",), "country": ("nation", "state"), "city": ("metropolis",), "band": ()}


def others(word: str) -> tuple[str, ...]:
    return OTHERS.get(word, ())


def test_words_of_names_are_replaced_and_values_are_not() -> None:
    """Singular by singular and plural by plural; a word without another, and one that is in no name, stay."""
    text = "Which singers and bands from the City of London come from a country called 'country singer'?"
    seen = {reworded(text, f"database {number}", OTHERS, others) for number in range(60)}
    assert "Which singers and bands from the City of London come from a country called 'country singer'?" in seen
    told = "Which vocalists and bands from the City of London come from a {} called 'country singer'?"
    assert {told.format(word) for word in ("nation", "state", "country")} <= seen
    assert len(seen) == 6
    assert reworded(text, "database 1", {"band"}, others) == text


def test_apostrophes_are_no_quotes() -> None:
    """What stands between two of them is asked in other words, too."""
    told = "the band's country and the city's name"
    seen = {reworded(told, f"database {number}", {"country"}, others) for number in range(60)}
    assert seen == {told.replace("country", word) for word in ("country", "nation", "state")}


def test_a_word_has_one_other_word_in_a_database() -> None:
    """Whatever else is asked."""
    for number in range(20):
        first = reworded("each country", f"d{number}", OTHERS, others)
        assert reworded("by country", f"d{number}", OTHERS, others) == first.replace("each", "by")


def test_synonyms_come_before_wider_terms(tmp_path: Path) -> None:
    """Of the first sense; words of several parts are left out."""
    files = {
        "index.noun": (
            "  1 licence\n"
            "singer n 2 1 @ 2 0 00000001 00000002\n"
            "man n 1 1 @ 1 0 00000003\n"
            "band n 1 0 1 0 00000004\n"
        ),
        "data.noun": (
            "  1 licence\n"
            "00000001 18 n 03 singer 0 vocalist 0 opera_singer 0 001 @ 00000003 n 0000 | one who sings\n"
            "00000003 18 n 01 man 0 001 @ 00000005 n 0000 | a person\n"
            "00000004 18 n 01 band 0 000 | people\n"
            "00000005 18 n 02 person 0 human_being 0 000 | a being\n"
        ),
        "index.verb": "sing v 1 0 1 0 00000009\nband v 1 0 1 0 00000008\n",
        "data.verb": "00000008 29 v 02 band 0 ring 0 000 | mark\n00000009 29 v 01 sing 0 000 | make music\n",
        "index.adj": "",
        "data.adj": "",
    }
    with pytest.raises(WordNetMissingError, match="has no file index"):
        read_thesaurus(tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    thesaurus = read_thesaurus(tmp_path)
    assert thesaurus.other_words("singer") == ("vocalist",)
    assert thesaurus.other_words("man") == ("person",)
    assert thesaurus.other_words("band") == thesaurus.other_words("sing") == thesaurus.other_words("none") == ()
