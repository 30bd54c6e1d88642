"""A real HTTP server on this machine that answers, or fails to, as a test tells it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Keeps what it is sent, counts who is served at once, and acts by the script of its server."""

    protocol_version = "HTTP/1.1"
    server: ChatServer
    body: dict[str, Any]

    def setup(self) -> None:
        super().setup()
        self.server.opened += 1

    def finish(self) -> None:
        super().finish()
        self.server.closed.set()

    def do_POST(self) -> None:
        server = self.server
        body = self.body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): text for name, text in self.headers.items()}
        with server.lock:
            server.requests.append({"path": self.path, "headers": headers, "body": body})
            server.busy += 1
            server.most_busy = max(server.most_busy, server.busy)
            behaviour = server.script.pop(0) if len(server.script) > 1 else server.script[0]
        try:
            with suppress(BrokenPipeError, ConnectionResetError):
                behaviour(self)
        finally:
            with server.lock:
                server.busy -= 1

    def send(self, body: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


class ChatServer(ThreadingHTTPServer):
    """Serves a script: one behaviour for each request, the last one for all further ones."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *script: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        self.opened = 0
        self.closed = threading.Event()
        self.busy = self.most_busy = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what several tests are about."""

    def __enter__(self) -> ChatServer:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.shutdown()
        self.server_close()


def completion(content: Any, *, finish: str = "stop", usage: tuple[int, int] = (100, 10)) -> bytes:
    """Body of a chat completion."""
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "toy",
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)},
        }
    ).encode()


def says(content: Any, **fields: Any) -> Behaviour:
    """Answer with this text."""
    return lambda handler: handler.send(completion(content, **fields))


def sends(body: bytes, status: int = 200, **headers: str) -> Behaviour:
    """Answer with these bytes."""
    return lambda handler: handler.send(body, status, **headers)


def refuses(status: int, message: str = "no", code: str | None = None, **headers: str) -> Behaviour:
    """Answer with an error in OpenAI's form."""
    return sends(json.dumps({"error": {"message": message, "code": code}}).encode(), status, **headers)


def stays_silent(handler: Handler) -> None:
    """Say nothing until the test is over."""
    handler.server.stopping.wait(60)
    handler.hang_up()


def takes(seconds: float, then: Behaviour) -> Behaviour:
    """Wait first."""

    def behaviour(handler: Handler) -> None:
        time.sleep(seconds)
        then(handler)

    return behaviour


def drips(piece: bytes, start: bytes) -> Behaviour:
    """Send a piece now and then without an end: each meets a timeout between bytes, the whole never ends."""

    def behaviour(handler: Handler) -> None:
        handler.wfile.write(start)
        while not handler.server.stopping.wait(0.02):
            handler.wfile.write(piece)
            handler.wfile.flush()

    return behaviour


def drops(handler: Handler) -> None:
    """Promise an answer, send half of it and hang up."""
    body = completion('["client:gender"]')
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    handler.hang_up()


def hangs_up(handler: Handler) -> None:
    """Close the connection without a word."""
    handler.hang_up()
