"""What an engineer tries first where tables are missing: follow the declared keys of those that were found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import networkx as nx

from benchmarks.systems.first_stage import names, nearest
from benchmarks.systems.ranking import cut
from benchmarks.systems.rows import Answers, Setting
from joinability import Catalog

DAMPING, TEMPERATURE = 0.5, 0.05
"""How much of the rank of a table goes on to its neighbours, and how sharply cosines tell where walks start: about the
best of a small grid on Spider's development questions. With 0.85 and plain cosines hubs come first."""


def neighbours(setting: Setting, sizes: Sequence[int]) -> Answers:
    """Each table that the retriever found, best first, and after it the tables that it has a declared key with."""
    graph = declared_graph(setting.dataset.catalog)
    ranked_tables = names(nearest(setting, len(setting.index.contents.tables)))
    return cut([expand(ranked, graph, max(sizes)) for ranked in ranked_tables], sizes)


def expand(ranked: Sequence[str], graph: nx.Graph, count: int) -> list[str]:
    """The first `count` tables of a ranking in which each table draws its neighbours after it, in their own order."""
    place = {table: rank for rank, table in enumerate(ranked)}
    taken: dict[str, None] = {}
    for table in ranked:
        taken[table] = None
        taken.update(dict.fromkeys(sorted(graph[table], key=place.__getitem__)))
        if len(taken) >= count:
            break
    return list(taken)[:count]


def personalised_pagerank(setting: Setting, sizes: Sequence[int]) -> Answers:
    """PageRank over declared keys, restarting at the candidates as the softmax of their cosines says."""
    graph = declared_graph(setting.dataset.catalog)
    ranked = []
    for candidates in nearest(setting, max(setting.candidates, *sizes)):
        start = {table: math.exp((cosine - candidates[0][1]) / TEMPERATURE) for table, cosine in candidates}
        ranked.append(walk(graph, start)[: max(sizes)])
    return cut(ranked, sizes)


def walk(graph: nx.Graph, start: Mapping[str, float]) -> list[str]:
    """Tables that a walk from the given ones reaches, by how often it is there; equal ones by name."""
    near = set(start).union(*(nx.node_connected_component(graph, table) for table in start))
    ranks = nx.pagerank(graph.subgraph(sorted(near)), alpha=DAMPING, personalization=dict(start))
    return sorted(near, key=lambda table: (-ranks[table], table))


def declared_graph(catalog: Catalog) -> nx.Graph:
    """Tables, and an edge for each two with a declared key between them."""
    graph = nx.Graph()
    graph.add_nodes_from(table.id for table in catalog)
    for table in catalog:
        graph.add_edges_from((table.id, key.target) for key in table.foreign_keys if key.target in graph)
    graph.remove_edges_from(nx.selfloop_edges(graph))
    return graph
