"""`jar serve`: the same answers as in Python, errors in words with their status, and nothing written without --edit."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jar import Index, Reranker
from jar.cli.main import main
from jar.sample import QUESTIONS, sample_catalog

pytest.importorskip("fastapi", reason='needs the extra serve: pip install "jar-rerank[serve]"')
httpx = pytest.importorskip("httpx", reason="needs httpx: pip install httpx")
uvicorn = pytest.importorskip("uvicorn", reason='needs the extra serve: pip install "jar-rerank[serve]"')

from jar.serve.application import application, serve  # noqa: E402
from jar.serve.guards import TOKEN, Guard  # noqa: E402

QUESTION = QUESTIONS[0].text


@pytest.fixture(scope="module")
def index_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("serve") / "shop.jar"
    Index.build(sample_catalog(rows=60), path=path, embedder="static", progress=False)
    return path


class Running:
    """A server in a thread."""

    def __init__(self, index_file: Path, *, edit: bool) -> None:
        self.guard = Guard()
        app = application(str(index_file), edit=edit, guard=self.guard)
        self.server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", access_log=False))
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],))
        self.thread.start()
        self.client = httpx.Client(base_url=self.url, timeout=60, trust_env=False)
        while not self.server.started:
            time.sleep(0.01)

    def get(self, path: str, **parameters: Any) -> Any:
        return self.client.get(path, params=parameters)

    def change(self, **document: Any) -> Any:
        return self.client.post("/api/verdicts", json=document, headers={TOKEN: self.guard.token})

    def stop(self) -> None:
        self.client.close()
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture(scope="module")
def served(index_file: Path) -> Iterator[Running]:
    running = Running(index_file, edit=False)
    yield running
    running.stop()


def test_answers_are_those_of_rank(served: Running, index_file: Path) -> None:
    """The interface gives what Python gives, but for its times."""
    here = json.loads(json.dumps(Reranker(index_file).rank(QUESTION, 4).to_dict()))
    there = served.get("/api/rank", question=QUESTION, k=4).json()
    for name in ("tables", "scores", "joins", "coverage", "value", "status", "subqueries", "notes"):
        assert there[name] == pytest.approx(here[name]) if name in {"scores", "value"} else there[name] == here[name]
    wished = served.get("/api/rank", question=QUESTION, k=4, require=["gym.members"], exclude=["bank.card"]).json()
    assert wished["tables"] == list(
        Reranker(index_file).rank(QUESTION, 4, require=["gym.members"], exclude=["bank.card"]).tables
    )


def test_a_recall_may_be_asked_for_in_place_of_a_number(served: Running, index_file: Path) -> None:
    """As in Python, with the chance that all needed tables are there; both at once are refused."""
    here = Reranker(index_file).rank(QUESTION, recall=0.8)
    there = served.get("/api/rank", question=QUESTION, recall=0.8).json()
    assert (there["tables"], there["confidence"]) == (list(here.tables), pytest.approx(here.confidence, abs=1e-4))
    assert len(served.get("/api/rank", question=QUESTION).json()["tables"]) == 5
    assert "recall says how many" in served.get("/api/rank", question=QUESTION, k=4, recall=0.8).json()["error"]


def test_sql_and_wishes_keep_to_what_is_required_and_excluded(served: Running) -> None:
    """They are of the answer that the same parameters get from the others."""
    asked = {"question": QUESTION, "k": 4, "require": ["gym.members"], "exclude": ["bank.card"]}
    context = served.get("/api/sql", dialect="sqlite", **asked).json()["sql"]
    ranked = served.get("/api/rank", **asked).json()["tables"]
    assert context.count("CREATE TABLE") == len(ranked)
    assert "members" in context
    (wished,) = served.get("/api/wish", size=4, required=[0], **asked).json()["sets"]
    answer = served.get("/api/answer", **asked).json()
    assert 0 in wished["tables"]
    assert wished["tables"] == answer["sets"][0]["tables"]


def test_a_wish_is_the_set_of_the_whole_page(served: Running) -> None:
    """What a click asks for is what the page of a file has computed before."""
    whole = served.get("/api/answer", question=QUESTION, k=4, whole=True).json()
    short = served.get("/api/answer", question=QUESTION, k=4).json()
    assert short["tables"] == whole["tables"]
    assert len(short["sets"]) < len(whole["sets"])
    key = next(key for key in whole["best"] if key.startswith("4||") and key[3:])
    wished = served.get("/api/wish", question=QUESTION, k=4, size=4, excluded=key.split("|")[2].split(",")).json()
    assert wished["sets"][0]["tables"] == whole["sets"][whole["best"][key]]["tables"]


def test_a_port_in_use_is_told(index_file: Path) -> None:
    """With the option that chooses another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["serve", str(index_file), "--port", str(port)])
    assert result.exit_code == 2
    assert f"port {port} of 127.0.0.1 is in use, or may not be used: choose another, --port 0 for any" in result.stderr


def test_an_address_that_is_none_is_told(index_file: Path) -> None:
    """As such, and not as a port in use."""
    result = CliRunner().invoke(main, ["serve", str(index_file), "--host", "999.1.1.1", "--port", "0"])
    assert result.exit_code == 2
    assert "'999.1.1.1' is no address of this machine" in result.stderr


def test_tables_joins_and_paths(served: Running) -> None:
    """A search, the neighbours of a table, and the way between two by way of a third."""
    assert served.get("/api/tables", search="LOAN").json()["tables"][:2] == ["bank.loan", "library.loans"]
    joins = served.get("/api/joins", table="bank.disposition").json()["joins"]
    assert {"bank.client", "bank.account"} <= {join["right_table"] for join in joins}
    (way, *_) = served.get("/api/path", left="bank.client", right="bank.card").json()
    assert way["tables"] == ["bank.client", "bank.disposition", "bank.card"]
    graph = served.get("/api/graph").json()
    assert len(graph["places"]) == len(graph["tables"])
    assert "CREATE TABLE" in served.get("/api/sql", question=QUESTION, dialect="sqlite").json()["sql"]


@pytest.mark.parametrize(
    ("path", "parameters", "status", "words"),
    [
        ("/api/rank", {}, 422, "question: "),
        ("/api/rank", {"question": "  "}, 400, "the question is empty"),
        ("/api/rank", {"question": "x" * 5000}, 422, "question: "),
        ("/api/rank", {"question": "x", "k": 0}, 422, "k: Input should be greater than or equal to 1, or Input"),
        ("/api/rank", {"question": "x", "k": "many"}, 422, "k: "),
        ("/api/rank", {"nope": 1}, 400, "no parameter 'nope'; it has question, k, require, exclude, recall"),
        ("/api/verdicts", {"search": "x"}, 400, "has no parameter 'search'; it has none"),
        ("/api/rank", {"question": "loans", "require": "nope"}, 400, "the index has no table 'nope'"),
        ("/api/sql", {"question": "loans", "dialect": "cobol"}, 400, "cobol"),
        ("/api/wish", {"question": "loans", "size": 2, "required": 999}, 400, "there is no candidate 999"),
        (
            "/api/wish",
            {"question": "loans", "size": 2, "required": 1, "excluded": 1},
            400,
            "both required and excluded",
        ),
        ("/api/joins", {"table": "loann"}, 400, "no table 'loann'"),
        ("/api/joins", {"table": "bank.loan", "min_score": 7}, 422, "min_score"),
        ("/api/path", {"left": "bank.loan", "right": "nope"}, 400, "no table 'nope'"),
        ("/api/path", {"left": "bank.loan"}, 422, "right"),
        ("/nothing", {}, 404, "Not Found"),
    ],
)
def test_bad_input_is_told(served: Running, path: str, parameters: dict[str, Any], status: int, words: str) -> None:
    """Each mistake has its status, and one line that says what is wrong."""
    answer = served.get(path, **parameters)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_other_hosts_and_pages_are_refused(served: Running) -> None:
    """A foreign `Host` or `Origin` gets no answer, not even the page."""
    for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        for path in ("/", "/api/tables", "/openapi.json"):
            assert served.client.get(path, headers=headers).status_code == 403


def test_nothing_is_written_without_edit(served: Running, index_file: Path) -> None:
    """A server without --edit has no way to change anything; asking leaves the file as it was."""
    before = hashlib.sha256(index_file.read_bytes()).digest()
    assert served.change(verdict="veto", left="bank.loan", right="bank.card").status_code == 405
    assert served.client.post("/api/verdicts", json={}).status_code == 403
    served.get("/api/answer", question=QUESTION, whole=True)
    assert hashlib.sha256(index_file.read_bytes()).digest() == before
    assert "post" not in served.get("/openapi.json").json()["paths"]["/api/verdicts"]


def test_every_answer_is_guarded(served: Running) -> None:
    """The page comes with its policy, and nothing is kept, framed or guessed."""
    page = served.get("/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert policy.partition("; frame-ancestors")[0] in page.text
    for answer in (page, served.get("/api/tables"), served.get("/nothing")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


def test_changes_by_the_token(index_file: Path, tmp_path: Path) -> None:
    """With --edit a pin, a veto and taking them back reach the index file, the graph and the next answer."""
    copy = tmp_path / "copy.jar"
    copy.write_bytes(index_file.read_bytes())
    running = Running(copy, edit=True)
    try:
        join = running.get("/api/joins", table="bank.loan").json()["joins"][0]
        change = {"left": join["left"], "right": join["right"]}
        assert running.client.post("/api/verdicts", json={"verdict": "veto", **change}).status_code == 403
        assert (
            running.client.post("/api/verdicts", content=b"{}", headers={TOKEN: running.guard.token}).status_code == 415
        )
        assert running.change(verdict="perhaps", **change).status_code == 422
        headers = {TOKEN: running.guard.token, "content-type": "application/json"}
        broken = running.client.post("/api/verdicts", content='{"verdict"', headers=headers)
        assert broken.status_code == 422
        assert broken.json()["error"].startswith("body: no JSON, from character 10 on (")
        assert running.change(verdict="veto", left="nope.x", right=join["right"]).status_code == 400
        answer = running.change(verdict="veto", **change)
        assert answer.status_code == 201
        assert [verdict["verdict"] for verdict in answer.json()] == ["veto"]
        assert len(Index.load(copy).verdicts()) == 1
        left = {(each["left"], each["right"]) for each in running.get("/api/joins", table="bank.loan").json()["joins"]}
        assert (join["left"], join["right"]) not in left
        assert running.change(verdict="unpin", **change).json() == []
    finally:
        running.stop()


def test_a_file_that_is_gone_is_not_the_callers_mistake(tmp_path: Path) -> None:
    """The server says that the index is missing, with a status of its own."""
    running = Running(tmp_path / "gone.jar", edit=False)
    try:
        assert running.get("/api/tables").status_code == 503
    finally:
        running.stop()


def test_an_index_file_that_goes_while_it_is_served_is_told(index_file: Path, tmp_path: Path) -> None:
    """Nothing is answered from memory after that, and all is answered again once there is a file."""
    copy = shutil.copy(index_file, tmp_path / "shop.jar")
    running = Running(copy, edit=False)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/api/tables", {}),
        ("/api/graph", {}),
        ("/api/verdicts", {}),
        ("/api/rank", {"question": QUESTION}),
        ("/api/answer", {"question": QUESTION}),
    ]
    try:
        assert {running.get(path, **values).status_code for path, values in asked} == {200}
        copy.unlink()
        answers = [running.get(path, **values) for path, values in asked]
        assert {answer.status_code for answer in answers} == {503}
        assert all("shop.jar is gone" in answer.json()["error"] for answer in answers)
        shutil.copy(index_file, copy)
        assert {running.get(path, **values).status_code for path, values in asked} == {200}
    finally:
        running.stop()


def test_the_command_serves_and_ends(index_file: Path) -> None:
    """`jar serve` prints its address, listens at this machine alone, answers, and ends by Ctrl-C."""
    command = [sys.executable, "-m", "jar", "serve", str(index_file), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[0]
        assert url.startswith("http://127.0.0.1:")
        found = httpx.get(f"{url}api/tables", params={"search": "client"}, timeout=60, trust_env=False).json()
        assert "bank.client" in found["tables"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def test_no_answer_waits_for_a_confirmation(index_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections send what there is at once: else the body waits until the other side has confirmed the headers."""
    accepted = []

    def run(server: Any, sockets: list[socket.socket]) -> None:
        with sockets[0] as listening, socket.create_connection(listening.getsockname()), listening.accept()[0] as one:
            accepted.append(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(uvicorn.Server, "run", run)
    serve(str(index_file), "127.0.0.1", 0, edit=False)
    assert accepted != [0]
    assert len(accepted) == 1


def test_the_live_page(served: Running, watched: Any) -> None:
    """In a browser: ask, exclude a table, search the join graph, find a path; no request leaves the machine."""
    tab = watched.tab
    tab.goto(served.url)
    tab.fill("#question", QUESTION)
    tab.select_option("#count", "4")
    tab.press("#question", "Enter")
    tab.wait_for_selector(".card")
    first = tab.locator(".card .name").first
    table = first.get_attribute("title")
    first.click()
    tab.locator("#news", has_text="is excluded").wait_for()
    assert table not in tab.locator(".card .name").evaluate_all("all => all.map(each => each.title)")
    tab.click("#to-graph")
    tab.wait_for_selector("#found button")
    tab.fill("#table-search", "disposition")
    tab.locator("#found button").first.click()
    tab.wait_for_selector("#about .edge")
    assert "bank.client" in tab.inner_text("#about")
    assert tab.get_by_role("button", name="Go to bank.client").count() == 1
    for name in ("Pin", "Veto", "Unpin", "Take back"):
        assert tab.get_by_role("button", name=name).count() == 0
    assert tab.locator("#stated").is_hidden()
    tab.fill("#path-from", "bank.client")
    tab.fill("#path-to", "bank.card")
    tab.press("#path-to", "Enter")
    tab.locator("#about", has_text="→").wait_for()
    tab.focus("#graph-canvas")
    tab.keyboard.press("ArrowLeft")
    tab.fill("#path-to", "nope")
    tab.press("#path-to", "Enter")
    tab.wait_for_selector("#about [role=alert]")
    assert [text for text in watched.complaints if "400 (Bad Request)" not in text] == []
    assert {url for url in watched.requests if not url.startswith((served.url, "data:"))} == set()


def told_joins(tab: Any) -> dict[str, float]:
    """The joins of the chosen table as the page tells them: strength by condition."""
    told = "all => all.map(each => [each.querySelector('code').textContent, +each.querySelector('strong').textContent])"
    return dict(tab.locator("#about .edge").evaluate_all(told))


def test_pins_and_vetoes_by_clicks(index_file: Path, tmp_path: Path, watched: Any) -> None:
    """With --edit: Pin makes a likely join certain, Veto takes one away; both are kept, drawn, and taken back."""
    copy = tmp_path / "copy.jar"
    copy.write_bytes(index_file.read_bytes())
    running = Running(copy, edit=True)
    try:
        tab = watched.tab
        tab.goto(running.url)
        tab.click("#to-graph")
        tab.wait_for_selector("#found button")
        tab.fill("#table-search", "account")
        tab.get_by_role("button", name="bank.account", exact=True).click()
        tab.wait_for_selector("#about .edge")
        before = told_joins(tab)
        likely = min(before, key=lambda condition: before[condition])
        sure, *_ = (condition for condition in before if "bank.disposition" in condition)
        assert before[likely] < 1
        tab.get_by_role("button", name=f"Pin: {likely}", exact=True).click()
        tab.locator("#graph-news", has_text=f"Pinned: {likely}").wait_for()
        tab.get_by_role("button", name=f"Unpin: {likely}", exact=True).wait_for()
        assert told_joins(tab)[likely] == 1
        tab.get_by_role("button", name=f"Veto: {sure}", exact=True).press("Enter")
        tab.locator("#graph-news", has_text=f"Vetoed: {sure}").wait_for()
        tab.locator("#about code", has_text=sure).wait_for(state="detached")
        assert tab.evaluate("document.activeElement.id") == "about"
        assert tab.input_value("#table-search") == "account"
        assert tab.input_value("#path-to") == ""
        kept = Index.load(copy)
        assert sorted(kept.verdicts()["verdict"]) == ["pin", "veto"]
        graph = kept.join_graph(0.2)
        assert {edge.condition: edge.score for edge in graph.neighbours("bank.account")}[likely] == 1
        assert sure not in {edge.condition for edge in graph.neighbours("bank.account")}
        for condition in kept.verdicts()[["left", "right"]].agg(" = ".join, axis=1):
            tab.get_by_role("button", name=f"Take back: {condition}", exact=True).click()
            tab.locator("#stated code", has_text=condition).wait_for(state="detached")
        tab.locator("#stated").wait_for(state="hidden")
        tab.get_by_role("button", name=f"Veto: {sure}", exact=True).wait_for()
        tab.get_by_role("button", name=f"Pin: {likely}", exact=True).wait_for()
        assert told_joins(tab) == before
        assert len(Index.load(copy).verdicts()) == 0
        assert watched.complaints == []
    finally:
        running.stop()
