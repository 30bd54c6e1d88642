"""What an answer tells of the tables that are like chosen ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from joinability.lines import listed

if TYPE_CHECKING:
    from jar.arrays import IntArray
    from jar.index.contents import IndexContents
    from jar.lookalikes.clients import OtherClients

MOST_TWINS = 5
"""Chosen tables of which a note tells that there are twins, twins of each, and schemas of clients."""


def told_twins(
    contents: IndexContents, chosen: IntArray, candidates: IntArray, clients: OtherClients | None
) -> list[str]:
    """Notes where tables that are not chosen are copies of chosen ones, or other layers of them, or other clients'.

    Parameters
    ----------
    chosen, candidates : arrays
        Positions in the index.
    """
    layered = contents.twins.layered
    other_clients = contents.twins.of_many.difference(candidates.tolist())
    copies, layers = dict[int, list[int]](), dict[int, list[int]]()
    for table, twins in contents.twins.beside(chosen.tolist()).items():
        if told := [twin for twin in twins if twin not in other_clients]:
            (layers if table in layered else copies)[table] = told
    return [
        *_told_of_clients(clients, contents),
        *_told_beside("tables of the same columns", copies, contents),
        *_told_beside("other layers and copies of tables", layers, contents),
    ]


def _told_of_clients(clients: OtherClients | None, contents: IndexContents) -> list[str]:
    """That the tables of one client were taken, where nobody names one."""
    if clients is None or clients.is_named:
        return []
    places = (clients.schemas, clients.taken)
    schemas, taken = ([contents.tables[table].id.rpartition(".")[0] for table in tables] for tables in places)
    return [
        f"the same tables are in {len(schemas)} places, {listed(schemas, MOST_TWINS)}: those of"
        f" {', '.join(taken)} were taken; name another one in the question, or require a table of it"
    ]


def _told_beside(what: str, beside: Mapping[int, Sequence[int]], contents: IndexContents) -> list[str]:
    named = []
    for table, twins in list(beside.items())[:MOST_TWINS]:
        ids = [contents.tables[twin].id for twin in twins]
        named.append(f"{listed(ids, MOST_TWINS)} beside {contents.tables[table].id}")
    if len(beside) > MOST_TWINS:
        named.append(f"and beside {len(beside) - MOST_TWINS} more")
    return [f"{what} are left out: {'; '.join(named)}"] if named else []
