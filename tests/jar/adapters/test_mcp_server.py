"""The server for agents, asked by the client of the SDK over standard input and output."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from jar import Catalog, Index, Reranker
from jar.cli.main import main

pytest.importorskip("mcp.server.mcpserver", reason='the SDK is not installed: pip install "jar-rerank[mcp]"')

from mcp import Client, StdioServerParameters, stdio_client

from jar.adapters.mcp import serve

ROOT = Path(__file__).parents[3]
QUESTION = "Which female clients own credit cards and also have loans?"


def ask(server: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The tools of a server, then its answers to calls."""

    async def session() -> list[Any]:
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            return [tools, *[await client.call_tool(name, arguments) for name, arguments in calls]]

    return asyncio.run(session())


def over_stdio(path: Path) -> Any:
    """`jar mcp` in a process of its own."""
    return stdio_client(StdioServerParameters(command=sys.executable, args=["-m", "jar", "mcp", str(path)], cwd=ROOT))


def test_an_agent_finds_tables_and_joins(shop: Path) -> None:
    """Every tool answers over standard input and output as the package does in Python."""
    index = Index.load(shop / "shop.jar")
    tools, found, joins, paths, sql = ask(
        over_stdio(shop / "shop.jar"),
        ("find_tables", {"question": QUESTION, "k": 4}),
        ("joins_of", {"table": "bank.disposition"}),
        ("join_path", {"a": "bank.client", "b": "bank.loan"}),
        ("sql_context", {"question": QUESTION}),
    )
    assert [tool.name for tool in tools] == ["find_tables", "joins_of", "join_path", "sql_context"]
    answer = Reranker(index).rank(QUESTION, 4)
    assert found.structured_content["tables"] == list(answer.tables)
    assert [join["condition"] for join in found.structured_content["joins"]] == [j.condition for j in answer.joins]
    listed = [join["condition"] for join in joins.structured_content["result"]]
    strong = index.join_graph(0.2).neighbours("bank.disposition")
    assert {join.condition for join in strong} <= set(listed)
    assert "bank.disposition.account_id = bank.loan.account_id" in listed
    best = index.join_graph(0.2).path("bank.client", "bank.loan")
    assert best is not None
    assert paths.structured_content["result"][0]["tables"] == list(best.tables)
    assert sql.structured_content == {"sql": Reranker(index).rank(QUESTION, 5).to_sql_context(), "notes": []}


def test_an_agent_may_leave_the_number_to_the_question(lake_index: Index) -> None:
    """Then it is told how sure the answer is; of a number it is not, and another word is refused."""
    auto, five, other = ask(
        serve(lake_index),
        ("find_tables", {"question": QUESTION, "k": "auto"}),
        ("find_tables", {"question": QUESTION}),
        ("find_tables", {"question": QUESTION, "k": "some"}),
    )[1:]
    answer = Reranker(lake_index).rank(QUESTION, "auto")
    assert auto.structured_content["tables"] == list(answer.tables)
    assert auto.structured_content["confidence"] == pytest.approx(answer.confidence)
    assert len(five.structured_content["tables"]) == 5
    assert five.structured_content["confidence"] is None
    assert other.is_error


def test_tools_say_what_they_are(lake_index: Index) -> None:
    """Hosts ask before a tool that may change something; models read descriptions and schemas."""
    (tools,) = ask(serve(lake_index))
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert not tool.annotations.destructive_hint
        assert tool.description
        assert tool.output_schema
    assert tools[0].input_schema["required"] == ["question"]
    assert set(tools[0].output_schema["properties"]) == {"tables", "joins", "connected", "confidence", "notes"}


def test_tools_tell_notes_and_keep_to_what_is_asked_for(lake_index: Index) -> None:
    """A budget and a dialect of SQL, the least score of a join, and notes beside every answer."""
    _, sql, unknown, weak, strong, way = ask(
        serve(lake_index),
        ("sql_context", {"question": QUESTION, "max_tokens": 60, "dialect": "tsql"}),
        ("sql_context", {"question": "xyzzy plugh", "k": 1}),
        ("joins_of", {"table": "bank.loan", "min_score": 0}),
        ("joins_of", {"table": "bank.loan"}),
        ("join_path", {"a": "bank.loan", "b": "library.books", "min_score": 0.9}),
    )
    expected = Reranker(lake_index).rank(QUESTION, 5).to_sql_context("tsql", max_tokens=60)
    assert sql.structured_content["sql"] == expected
    assert unknown.structured_content["notes"] == list(Reranker(lake_index).rank("xyzzy plugh", 1).notes)
    assert unknown.structured_content["notes"]
    assert len(weak.structured_content["result"]) > len(strong.structured_content["result"])
    assert all(join["score"] >= 0.2 for join in strong.structured_content["result"])
    assert way.structured_content["result"] == []


def test_joins_of_lists_the_joins_that_answers_show(lake_index: Index) -> None:
    """Those past the key of a third table, too, with the scores of the answer."""
    _, found, joins = ask(
        serve(lake_index),
        ("find_tables", {"question": "Which clients have loans?", "k": 3}),
        ("joins_of", {"table": "bank.disposition"}),
    )
    assert found.structured_content["connected"]
    sides = {frozenset(join["condition"].split(" = ")): join["score"] for join in joins.structured_content["result"]}
    for join in found.structured_content["joins"]:
        assert sides[frozenset(join["condition"].split(" = "))] == join["score"]


def test_a_running_server_hears_what_is_said_of_the_joins_of_its_index(lake_index: Index, tmp_path: Path) -> None:
    """A path past a join that was vetoed since the last call is no path any more."""
    lake_index.save(tmp_path / "lake.jar")
    index = Index.load(tmp_path / "lake.jar", embedder=lake_index.embedder)
    server, way = serve(index), ("join_path", {"a": "bank.loan", "b": "bank.account"})
    before = ask(server, way)[1].structured_content["result"]
    index.veto_join("bank.loan", "bank.account")
    after = ask(server, way)[1].structured_content["result"]
    assert before[0]["tables"] == ["bank.loan", "bank.account"]
    assert ["bank.loan", "bank.account"] not in [path["tables"] for path in after]


def test_a_running_server_answers_from_the_file_as_it_is(tmp_path: Path) -> None:
    """It loads a file that was indexed anew since the last call."""

    def index(name: str) -> None:
        frame = pd.DataFrame({"id": [1, 2, 3], "secret": ["x", "y", "z"]})
        catalog = Catalog.from_frames({f"s.{name}": frame})
        Index.build(catalog, path=tmp_path / "s.jar", embedder="static", progress=False)

    async def session() -> list[Any]:
        async with Client(serve(tmp_path / "s.jar")) as client:
            answers = []
            for name in ("emp", "zoo", "zoo"):
                index(name)
                answer = await client.call_tool("find_tables", {"question": "secrets", "k": 1})
                answers += answer.structured_content["tables"]
            return answers

    pytest.importorskip("wordllama")
    assert asyncio.run(session()) == ["s.emp", "s.zoo", "s.zoo"]


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("find_tables", {"question": " "}, "the question is empty"),
        ("find_tables", {"question": QUESTION, "k": 0}, "greater than or equal to 1"),
        ("find_tables", {"question": QUESTION, "k": 1000}, "less than or equal to 50"),
        ("sql_context", {"question": QUESTION, "dialect": "pg"}, "no SQL dialect 'pg': choose one of sqlite"),
        ("joins_of", {"table": "bank.clint"}, "did you mean 'bank.client'"),
        ("join_path", {"a": "bank.client", "b": "bank.loans"}, "did you mean 'bank.loan'"),
        ("joins_of", {"table": "zzzzzz"}, "find_tables(question) tells the names of tables"),
        ("sql_context", {"question": ""}, "the question is empty"),
    ],
)
def test_an_agent_reads_what_was_wrong(lake_index: Index, tool: str, arguments: dict[str, Any], said: str) -> None:
    """Expected errors are tool errors with their own words, not crashes."""
    _, answer = ask(serve(lake_index), (tool, arguments))
    assert answer.is_error
    assert said in answer.content[0].text


def test_the_index_is_loaded_when_a_tool_is_called(tmp_path: Path) -> None:
    """A host lists the tools of a server whose file is no index; the first call says what is wrong."""
    path = tmp_path / "notes.jar"
    path.write_text("no index")
    tools, answer = ask(over_stdio(path), ("find_tables", {"question": QUESTION}))
    assert len(tools) == 4
    assert answer.is_error
    assert "notes.jar" in answer.content[0].text


def test_standard_output_carries_the_protocol_alone(shop: Path) -> None:
    """Every line of a session is a message."""
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "find_tables", "arguments": {"question": "Which clients have loans?"}}
    messages = [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": call},
    ]
    command = [sys.executable, "-m", "jar", "mcp", str(shop / "shop.jar")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in messages:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()
        lines = [process.stdout.readline(), process.stdout.readline()]
        process.stdin.close()
        lines += process.stdout.readlines()
    answers = [json.loads(line) for line in lines]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert answers[0]["result"]["serverInfo"] == {"name": "jar", "version": version("jar-rerank")}
    assert {"bank.client", "bank.loan"} <= set(answers[1]["result"]["structuredContent"]["tables"])
    assert process.returncode == 0


def test_a_missing_file_or_framework_is_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the exit status of bad input, before anything is served."""
    missing = CliRunner().invoke(main, ["mcp", str(tmp_path / "none.jar")])
    assert missing.exit_code == 2
    assert "there is no index at" in missing.stderr
    (tmp_path / "shop.jar").write_text("")
    monkeypatch.delitem(sys.modules, "jar.adapters.mcp")
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    uninstalled = CliRunner().invoke(main, ["mcp", str(tmp_path / "shop.jar")])
    assert uninstalled.exit_code == 2
    assert 'pip install "jar-rerank[mcp]"' in uninstalled.stderr
    assert uninstalled.stdout == ""
