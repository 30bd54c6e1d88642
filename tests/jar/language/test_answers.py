"""Answers on disk: found again, whole or not at all, and never a reason to fail."""

from __future__ import annotations

import json
import os
import stat
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jar.language import prompts
from jar.language.cache import FOLDER, PER_FOLDER, AnswerCache, answer_key
from jar.user_cache import user_cache

KEY = answer_key(["http://localhost/v1", "toy"], {"temperature": 0}, [{"role": "user", "content": "hello"}])


@pytest.fixture
def cache(tmp_path: Path) -> AnswerCache:
    return AnswerCache(tmp_path / "deep" / "answers")


def file_of(cache: AnswerCache) -> Path:
    (file,) = cache.folder.rglob("*.json")
    return file


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answer=st.text(st.characters(exclude_categories=())))
def test_what_is_kept_is_found(cache: AnswerCache, answer: str) -> None:
    """Any text, lone surrogates included, comes back as it was, also to another object."""
    cache.put(KEY, answer)
    assert AnswerCache(cache.folder).get(KEY) == answer


def test_nothing_is_found_before_and_after(cache: AnswerCache) -> None:
    """An empty cache, and one that forgot, have no answer; forgetting twice is no error."""
    assert cache.get(KEY) is None
    assert not cache.folder.exists()
    cache.put(KEY, "yes")
    cache.forget(KEY)
    cache.forget(KEY)
    assert cache.get(KEY) is None


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[: len(whole) // 2],
    "no text": lambda whole: b"\xff\xfe\x00",
    "no JSON": lambda whole: b"yes",
    "no object": lambda whole: b"[]",
    "deep": lambda whole: b"[" * 100_000,
    "of another version": lambda whole: whole.replace(b'"format": 1', b'"format": 0'),
    "of another prompt": lambda whole: whole.replace(KEY.encode(), b"0" * 64),
    "changed": lambda whole: whole.replace(b'"yes"', b'"no"'),
    "no answer": lambda whole: whole.replace(b'"yes"', b"7"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_counts_as_absent_and_is_replaced(cache: AnswerCache, damage: str) -> None:
    """Neither an error nor a wrong answer comes of it."""
    cache.put(KEY, "yes")
    file = file_of(cache)
    damaged = DAMAGES[damage](file.read_bytes())
    assert damaged != file.read_bytes()
    file.write_bytes(damaged)
    assert cache.get(KEY) is None
    cache.put(KEY, "yes")
    assert cache.get(KEY) == "yes"


def test_files_are_their_owner_s(cache: AnswerCache) -> None:
    """Questions are private: folder and file are for their owner; the prompt is not in the file."""
    cache.put(KEY, "yes")
    if os.name == "posix":
        assert stat.S_IMODE(file_of(cache).stat().st_mode) == 0o600
        assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert json.loads(file_of(cache).read_text()).keys() == {"format", "key", "answer", "sha256"}
    assert "hello" not in file_of(cache).read_text()


def test_writers_do_not_meet(cache: AnswerCache) -> None:
    """Threads that write and read one answer see a whole one; no draft is left."""
    texts = [letter * 10_000 for letter in "abcdefgh"]

    def work(text: str) -> bool:
        cache.put(KEY, text)
        return cache.get(KEY) in texts

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, texts * 5))
    assert [file.name for file in cache.folder.rglob("*") if file.is_file()] == [f"{KEY}.json"]


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    """The answer is not kept, a warning says so, and nothing fails."""
    (tmp_path / "file").write_text("in the way")
    cache = AnswerCache(tmp_path / "file")
    with pytest.warns(UserWarning, match="cannot be written"):
        cache.put(KEY, "yes")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.put(KEY, "yes")
    assert cache.get(KEY) is None
    cache.forget(KEY)


def test_old_answers_make_way(cache: AnswerCache) -> None:
    """A folder holds a bounded number; the newest are among them."""
    keys = [f"{KEY[:2]}{number:062d}" for number in range(PER_FOLDER + 10)]
    for age, key in enumerate(keys):
        cache.put(key, "yes")
        os.utime(cache.folder / key[:2] / f"{key}.json", (age, age))
    assert [cache.get(key) for key in keys] == [None] * 10 + ["yes"] * PER_FOLDER


def test_the_key_depends_on_all_that_an_answer_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Server, model, parameters, roles, texts, and the version of our prompts; not the order of parameters."""
    hello = [{"role": "user", "content": "hello"}]
    base = (["http://localhost/v1", "toy"], {"temperature": 0, "seed": 1}, hello)
    others = [
        (["http://localhost/v2", "toy"], base[1], hello),
        (["http://localhost/v1", "boy"], base[1], hello),
        (base[0], {"temperature": 1, "seed": 1}, hello),
        (base[0], {"temperature": 0}, hello),
        (base[0], base[1], [{"role": "system", "content": "hello"}]),
        (base[0], base[1], [{"role": "user", "content": "hello "}]),
        (base[0], base[1], hello * 2),
    ]
    keys = {answer_key(*arguments) for arguments in [base, *others]}
    assert len(keys) == 1 + len(others)
    assert answer_key(base[0], {"seed": 1, "temperature": 0}, hello) == answer_key(*base)
    monkeypatch.setattr("jar.language.cache.PROMPT_VERSION", prompts.PROMPT_VERSION + 1)
    assert answer_key(*base) not in keys


def test_the_folder_is_the_user_s_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`XDG_CACHE_HOME`, else `~/.cache`; none without a home."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_cache(FOLDER) == tmp_path / "jar-rerank" / "answers"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "me")
    assert user_cache(FOLDER) == tmp_path / "me" / ".cache" / "jar-rerank" / "answers"

    def nobody() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", nobody)
    assert user_cache(FOLDER) is None
