"""What requests may say and what answers look like, with their limits; the OpenAPI description is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from jar.adapters.frameworks import from_extra

with from_extra("serve"):
    from fastapi import Query, Response
    from pydantic import BaseModel, Field

MOST_TABLES = 100
"""Tables of an answer at most."""
LONGEST = 4_000
"""Characters of a question, or of a name, at most."""

Question: TypeAlias = Annotated[str, Query(min_length=1, max_length=LONGEST, description="The question, in words.")]
Count: TypeAlias = Annotated[
    Annotated[int, Field(ge=1, le=MOST_TABLES)] | Literal["auto"],
    Query(description="How many tables, 5 by default; auto for as many as the question needs."),
]
Recall: TypeAlias = Annotated[
    float | None,
    Query(gt=0, lt=1, description="In place of k: the share of the needed tables that the answer is expected to hold."),
]
Tables: TypeAlias = Annotated[list[str], Query(max_length=MOST_TABLES, description="Tables, by id or short name.")]
Places: TypeAlias = Annotated[
    list[int], Query(max_length=MOST_TABLES, description="Candidates, by their place from 0.")
]
Name: TypeAlias = Annotated[str, Query(min_length=1, max_length=LONGEST)]
Share: TypeAlias = Annotated[float, Query(ge=0, le=1)]


class Problem(BaseModel):
    """What was wrong with a request, and what to do."""

    error: str


class Change(BaseModel):
    """A word on a join: it is certain (pin), it is none (veto), or the evidence counts again (unpin)."""

    verdict: Literal["pin", "veto", "unpin"]
    left: str = Field(
        min_length=1, max_length=LONGEST, description='A column "db.table.column", or for a veto a table.'
    )
    right: str = Field(min_length=1, max_length=LONGEST)


ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "A name or a number cannot be used, or a parameter is not known."},
    403: {"model": Problem, "description": "Not from this machine, or no token for a change."},
    422: {"model": Problem, "description": "A parameter is missing or out of range."},
    503: {"model": Problem, "description": "The index file is gone, or cannot be read."},
}


def json_answer(document: Any, status: int = 200) -> Response:
    """An answer of plain values."""
    import json

    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    body = text.encode("utf-8", "replace")
    return Response(body, status_code=status, media_type="application/json")
