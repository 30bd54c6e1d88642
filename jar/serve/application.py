"""The server as an ASGI application: guards, routes, errors in words, and the page."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from typing import Any

from jar.adapters.frameworks import from_extra
from jar.adapters.items import EXPECTED_ERRORS
from jar.errors import EmbedderError, IndexBusyError, IndexChangedError, IndexFormatError, IndexWriteError, JarError
from jar.page.document import document, policy_of
from jar.serve.explored import Explored
from jar.serve.guards import HEADERS, TOKEN, Guard
from jar.serve.messages import json_answer
from jar.serve.routes import graph_routes, question_routes

with from_extra("serve"):
    from fastapi import FastAPI, Request, Response
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException

LIVE = ("page.js", "graph.js", "live.js")
"""The script of the page, in its order."""
LARGEST_BODY = 65_536
"""Bytes of a request's body at most."""
UNAVAILABLE = (OSError, EmbedderError, IndexBusyError, IndexChangedError, IndexFormatError, IndexWriteError)
"""What goes wrong with the index file, not with the request."""


def application(index_file: str, *, edit: bool = False, guard: Guard | None = None) -> FastAPI:
    """A server of an index file, which is loaded by the first request, and again where it changed.

    Parameters
    ----------
    edit : bool
        Whether pins and vetoes may be stated, by requests that carry the guard's token.
    """
    from importlib.metadata import version

    guard = guard or Guard()
    explored = Explored(index_file)
    app = FastAPI(title="jar", version=version("jar-rerank"), docs_url=None, redoc_url=None)
    app.include_router(question_routes(explored))
    app.include_router(graph_routes(explored, edit=edit))
    settings = {"live": True, "edit": edit, "token": guard.token if edit else "", "file": index_file}
    html = document(settings, LIVE, "'self'")
    headers = {"Content-Security-Policy": policy_of(LIVE, "'self'") + "; frame-ancestors 'none'"}

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        return Response(html, media_type="text/html; charset=utf-8", headers=headers)

    _tell_errors(app)
    app.add_middleware(Gate, guard=guard)
    return app


def _tell_errors(app: FastAPI) -> None:
    """Errors as `{"error": text}` with a status that says whose they are."""

    async def expected(request: Request, error: Exception) -> Response:
        return json_answer({"error": str(error)}, 503 if isinstance(error, UNAVAILABLE) else 400)

    async def invalid(request: Request, error: RequestValidationError) -> Response:
        wrong: dict[str, list[str]] = {}
        for each in error.errors():
            place, said = str(each["loc"][1]) if len(each["loc"]) > 1 else "request", each["msg"]
            if each["type"] == "json_invalid":
                place, said = "body", f"no JSON, from character {place} on ({each.get('ctx', {}).get('error', said)})"
            wrong.setdefault(place, []).append(said)
        return json_answer({"error": "; ".join(f"{name}: {', or '.join(said)}" for name, said in wrong.items())}, 422)

    async def refused(request: Request, error: HTTPException) -> Response:
        return json_answer({"error": f"{request.method} {request.url.path}: {error.detail}"}, error.status_code)

    for kind in EXPECTED_ERRORS:
        app.add_exception_handler(kind, expected)
    app.add_exception_handler(RequestValidationError, invalid)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, refused)  # type: ignore[arg-type]


class Gate:
    """Refuses what the guard refuses, before anything reads it, and puts `HEADERS` on every answer."""

    def __init__(self, app: Any, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        app = self.app if refusal is None else json_answer({"error": refusal[1]}, refusal[0])
        await app(scope, receive, _with_headers(send))

    def _refusal(self, scope: dict[str, Any]) -> tuple[int, str] | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        reason = self.guard.refusal(headers)
        if reason is None and scope["method"] not in {"GET", "HEAD"}:
            reason = self.guard.refused_change(headers)
            if reason is None and not headers.get("content-type", "").startswith("application/json"):
                return 415, "a change is JSON: send the header content-type: application/json"
            length = headers.get("content-length", "")
            if reason is None and not (length.isdecimal() and int(length) <= LARGEST_BODY):
                return 413, f"a change says its content-length, which is at most {LARGEST_BODY} bytes"
        return None if reason is None else (403, reason)


def _with_headers(send: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    more = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *more]
        await send(message)

    return sent


def serve(index_file: str, host: str, port: int, *, edit: bool) -> None:
    """Serve an index file until it is interrupted."""
    with from_extra("serve"):
        import uvicorn

    try:
        socket.getaddrinfo(host, port)
    except OSError as error:
        raise JarError(f"{host!r} is no address of this machine: choose another --host") from error
    guard = Guard(frozenset({host.casefold()}))
    config = uvicorn.Config(
        application(index_file, edit=edit, guard=guard),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
    )
    try:
        listening = config.bind_socket()
    except SystemExit:
        raise JarError(
            f"port {port} of {host} is in use, or may not be used: choose another, --port 0 for any"
        ) from None
    # Without this the body of an answer waits up to 40 ms, until the other side has confirmed the headers. asyncio sets
    # it only on sockets that name their protocol, which this one does not; those that it accepts take it over.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.listen(config.backlog)  # uvicorn listens later, and a program may ask as soon as it reads the address
    print(f"http://{_shown(host)}:{listening.getsockname()[1]}/  (Ctrl-C ends it)", flush=True)
    if edit:
        print(f"changes by programs need the header {TOKEN}: {guard.token}", flush=True)
    uvicorn.Server(config).run([listening])


def _shown(host: str) -> str:
    """A host as addresses have it."""
    return f"[{host}]" if ":" in host else host
