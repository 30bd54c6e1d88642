"""The functions of the server: questions and their wishes, tables, joins, paths, and changes."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from jar.adapters.frameworks import from_extra
from jar.errors import QueryError
from jar.page.exploration import Exploration
from jar.page.wishes import Wish
from jar.serve.explored import Explored
from jar.serve.graph_model import edge_model
from jar.serve.messages import (
    ERRORS,
    Change,
    Count,
    Name,
    Places,
    Question,
    Recall,
    Share,
    Tables,
    json_answer,
)
from jar.tables.sibling_joins import best_joins

with from_extra("serve"):
    from fastapi import APIRouter, Depends, Query, Request, Response

FOUND, NEIGHBOURS = 50, 200
"""Tables that a search lists, and joins of a table, at most."""


def known_parameters(request: Request) -> None:
    """Nothing, when a request has parameters of its function alone, as the OpenAPI description has them.

    Raises
    ------
    QueryError
        When it has another one.
    """
    path = request.url.path
    described = request.app.openapi()["paths"][path][request.method.lower()]
    known = [parameter["name"] for parameter in described.get("parameters", ())]
    for name in request.query_params:
        if name not in known:
            raise QueryError(f"{path} has no parameter {name!r}; it has {', '.join(known) or 'none'}")


def question_routes(explored: Explored) -> APIRouter:
    """What is asked with a question."""
    router = APIRouter(prefix="/api", responses=ERRORS, tags=["questions"], dependencies=[Depends(known_parameters)])

    def explore(
        question: Question,
        k: Count | None = None,
        require: Tables = [],  # noqa: B006
        exclude: Tables = [],  # noqa: B006
        recall: Recall = None,
    ) -> Exploration:
        return explored.exploration(question, k, tuple(require), tuple(exclude), recall=recall)

    @router.get("/rank")
    def rank(exploration: Exploration = Depends(explore)) -> Response:
        """The tables that answer a question together, with joins, coverage and proof, as `jar rank --json` has it."""
        return json_answer(exploration.selection.to_dict())

    @router.get("/answer")
    def answer(whole: bool = False, exploration: Exploration = Depends(explore)) -> Response:
        """The same as a page shows it; `whole` with the best sets under wishes, which takes longer."""
        return json_answer(explored.answer(exploration, whole=whole))

    @router.get("/wish")
    def wish(
        size: Annotated[int, Query(ge=1)],
        required: Places = [],  # noqa: B006
        excluded: Places = [],  # noqa: B006
        exploration: Exploration = Depends(explore),
    ) -> Response:
        """The best set of `size` candidates of an answer that holds some of them and lacks others.

        `required` and `excluded` are places of candidates in the answer to the same question, with the same tables in
        `require` and `exclude`.
        """
        strange = [place for place in (*required, *excluded) if not 0 <= place < exploration.count]
        if strange:
            raise QueryError(f"there is no candidate {strange[0]}: there are {exploration.count}, from 0")
        both = sorted(set(required) & set(excluded))
        if both:
            raise QueryError(f"candidate {both[0]} cannot be both required and excluded")
        asked = Wish(size, tuple(sorted(set(required))), tuple(sorted(set(excluded))))
        return json_answer(explored.wished(exploration, asked))

    @router.get("/sql")
    def sql(
        dialect: str | None = None,
        max_tokens: Annotated[int | None, Query(ge=1)] = None,
        exploration: Exploration = Depends(explore),
    ) -> Response:
        """CREATE TABLE statements and join conditions for a prompt."""
        return json_answer({"sql": exploration.selection.to_sql_context(dialect, max_tokens=max_tokens)})

    return router


def graph_routes(explored: Explored, *, edit: bool) -> APIRouter:
    """What is asked of the tables and their joins."""
    router = APIRouter(prefix="/api", responses=ERRORS, tags=["joins"], dependencies=[Depends(known_parameters)])

    @router.get("/tables")
    def tables(search: Annotated[str, Query(max_length=200)] = "") -> Response:
        """Ids of tables that hold a text, those that start with it first."""
        wanted = search.casefold()
        ids = [table.id for table in explored.index.contents.tables if wanted in table.id.casefold()]
        ids.sort(key=lambda id_: not id_.rpartition(".")[2].casefold().startswith(wanted))
        return json_answer({"count": len(ids), "tables": list(islice(ids, FOUND))})

    @router.get("/graph")
    def graph() -> Response:
        """All tables with places for a drawing, and the best join of each two that is not weak."""
        return json_answer(explored.picture())

    @router.get("/joins")
    def joins(table: Name, min_score: Share = 0.2) -> Response:
        """The best join of a table with each of its neighbours, surest first, with the evidence."""
        edges = best_joins(explored.index, table, min_score)[:NEIGHBOURS]
        return json_answer({"joins": [edge_model(edge) for edge in edges]})

    @router.get("/path")
    def path(left: Name, right: Name, limit: Annotated[int, Query(ge=1, le=10)] = 3) -> Response:
        """The best ways to join two tables, by way of others where needed; none where nothing connects them."""
        ways = explored.graph().paths(left, right, limit)
        return json_answer(
            [
                {"tables": list(way.tables), "score": round(way.score, 4), "joins": [edge_model(e) for e in way.edges]}
                for way in ways
            ]
        )

    @router.get("/verdicts")
    def verdicts() -> Response:
        """The pins and vetoes that the index file keeps."""
        return json_answer(_verdicts(explored))

    if edit:

        @router.post("/verdicts", status_code=201)
        def change(change: Change) -> Response:
            """Pin a join, veto one, or take that back; kept in the index file."""
            index = explored.index
            state = {"pin": index.pin_join, "veto": index.veto_join, "unpin": index.unpin_join}
            state[change.verdict](change.left, change.right)
            return json_answer(_verdicts(explored), 201)

    return router


def _verdicts(explored: Explored) -> list[dict[str, str]]:
    rows = explored.index.verdicts().itertuples(index=False, name=None)
    return [{"verdict": row[0], "left": row[1], "right": row[2]} for row in rows]
