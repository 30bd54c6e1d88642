"""Who may ask the server: local names, pages of its own, and changes with the token alone."""

from __future__ import annotations

import pytest

from jar.serve.guards import TOKEN, Guard


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8765", "127.0.0.1:80", "[::1]:8765", "LocalHost:1", "localhost.:8765"]
)
def test_local_names_are_answered(host: str) -> None:
    """However a machine calls itself, with any port."""
    assert Guard().refusal({"host": host}) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8765",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.2",
        "[::1",
        "0.0.0.0",
        "a@localhost@b",
    ],
)
def test_other_names_are_refused(host: str) -> None:
    """A name that somebody points at this machine is none of it."""
    assert Guard().refusal({"host": host}) is not None


def test_a_chosen_host_is_answered() -> None:
    """The address that the server was told to listen at is one of its names."""
    assert Guard(frozenset({"192.168.1.5"})).refusal({"host": "192.168.1.5:8765"}) is None


@pytest.mark.parametrize(
    "more",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://localhost:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_others_are_refused(more: dict[str, str]) -> None:
    """What a browser says of the page that asks counts."""
    assert Guard().refusal({"host": "localhost:8765", **more}) is not None


def test_the_page_of_the_server_is_answered() -> None:
    """Its own origin is the host that was asked."""
    headers = {"host": "localhost:8765", "origin": "http://localhost:8765", "sec-fetch-site": "same-origin"}
    assert Guard().refusal(headers) is None


def test_changes_need_the_token() -> None:
    """None, a wrong one and one of another start are refused."""
    guard = Guard()
    assert guard.refused_change({}) is not None
    assert guard.refused_change({TOKEN: "x"}) is not None
    assert guard.refused_change({TOKEN: Guard().token}) is not None
    assert guard.refused_change({TOKEN: guard.token}) is None
