"""The model of a page: an answer and its other sets as plain values, in which no text stands twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jar.answers.confidence import confidence_lines
from jar.page.document import embedded
from jar.page.join_facts import join_facts
from jar.page.wishes import Wish, largest_size

if TYPE_CHECKING:
    from formulations import Solution
    from jar.answers.join import Join
    from jar.answers.selection import Selection
    from jar.page.solved_question import SolvedQuestion

VERSION = 1
"""Of the form of the model; the script of the page knows the same."""
ROOM = 215_000
"""Characters of a page from which on no further set is told, so that it has at most 300 kB with style and script."""
MOST_TOKENS = 8_000
"""Tokens of the SQL of a set; of a longer one the columns that matter least are left out."""


def answer_model(solved: SolvedQuestion, solutions: Mapping[Wish, Solution | None]) -> dict[str, Any]:
    """The answer to a question with the best sets under some wishes; of none, without the chances of sets.

    Returns
    -------
    dict
        `tables` are the candidates, and everything else names them by their place there; `texts` are the lines that
        `sets` are told in; `best` has the place of a set, or -1 where there is none, by "size|required|excluded".
    """
    selection, tables = solved.selection, _tables(solved)
    parts = Parts(
        solved, written=len(embedded([tables, selection.question, selection.subqueries])), chances=bool(solutions)
    )
    answer = parts.add(selection)
    best = {}
    for wish, solution in solutions.items():
        if solution is None or parts.has(solution) or parts.room > 0:
            best[key(wish)] = -1 if solution is None else parts.place(solution)
    best[key(Wish(len(selection.tables)))] = answer
    others = [
        {
            "set": parts.alternative(other.tables) if other.tables else -1,
            "probability": round(other.probability, 4),
        }
        for other in selection.alternatives
    ]
    instance = solved.problem.reduction.instance
    return {
        "version": VERSION,
        "question": selection.question,
        "subqueries": list(selection.subqueries),
        "decomposition": selection.decomposition,
        "fitted": selection.fitted,
        "notes": list(selection.notes),
        "seconds": round(selection.seconds, 5),
        "chances": parts.chances and solved.distribution is not None,
        "nothing": _rounded(selection.nothing_fits),
        "auto": selection.nothing_fits is not None,
        "largest": largest_size(solved),
        "required": list(instance.require),
        "tables": tables,
        "answer": answer,
        "best": best,
        "alternatives": others,
        "sets": parts.sets,
        "joins": parts.joins,
        "texts": list(parts.texts),
    }


def set_model(solved: SolvedQuestion, wish: Wish) -> dict[str, Any]:
    """The best set under one wish, for a page that has the candidates already."""
    parts, solution = Parts(solved), solved.best(*wish)
    place = -1 if solution is None else parts.place(solution)
    return {"best": {key(wish): place}, "sets": parts.sets, "joins": parts.joins, "texts": list(parts.texts)}


def key(wish: Wish) -> str:
    """A wish as text."""
    return "|".join([str(wish.size), *(",".join(map(str, side)) for side in (wish.require, wish.exclude))])


@dataclass
class Parts:
    """Sets, joins and lines, each once, in the order in which they came."""

    solved: SolvedQuestion
    sets: list[dict[str, Any]] = field(default_factory=list)
    joins: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)
    written: int = 0
    chances: bool = True
    _places: dict[tuple[int, ...], int] = field(default_factory=dict)
    _joins: dict[tuple[str, float], int] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Characters that are left for sets."""
        return ROOM - self.written

    def has(self, solution: Solution) -> bool:
        """Whether a set is told already."""
        return solution.items in self._places

    def place(self, solution: Solution) -> int:
        """Where a set is; it is told when it first comes."""
        if solution.items not in self._places:
            self._places[solution.items] = self.add(self.solved.told(solution))
        return self._places[solution.items]

    def alternative(self, tables: tuple[str, ...]) -> int:
        """Where a set is, by its tables; -1 where no joins connect it and some have to."""
        item = {id_: place for place, id_ in enumerate(self.solved.ids)}
        solution = self.solved.best(len(tables), tuple(item[table] for table in tables))
        return -1 if solution is None else self.place(solution)

    def add(self, selection: Selection) -> int:
        """Add a set, and return where it is."""
        place = {id_: item for item, id_ in enumerate(self.solved.ids)}
        confidence = self.solved.confidence(tuple(place[table] for table in selection.tables)) if self.chances else None
        chances = confidence_lines(confidence if selection.tables else None, ())
        entry = {
            "tables": [place[table] for table in selection.tables],
            "parts": [
                [round(part, 3) for part in (each.coarse, each.coverage, each.join)] for each in selection.contributions
            ],
            "joins": [self._join(join, place) for join in selection.joins],
            "matches": [
                [
                    selection.subqueries.index(match.subquery),
                    place[match.table],
                    match.column_name,
                    round(match.score, 3),
                ]
                for match in selection.coverage
            ],
            "values": [[place[value.table], value.column_name, value.text] for value in selection.values],
            "value": round(selection.value, 4) if selection.tables else 0.0,
            "gap": round(selection.gap, 5),
            "status": selection.status,
            "solver": selection.solver,
            "components": [[place[table] for table in component] for component in selection.components],
            "confidence": _rounded(confidence),
            "chance": chances[0] if chances else "",
            "words": self._lines(selection.explain()),
            "sql": self._lines(selection.to_sql_context(max_tokens=MOST_TOKENS)),
        }
        self.sets.append(entry)
        self.written += len(embedded(entry))
        return len(self.sets) - 1

    def _lines(self, text: str) -> list[int]:
        lines = text.split("\n")
        for line in lines:
            if line not in self.texts:
                self.texts[line] = len(self.texts)
                self.written += len(embedded(line)) + 1
        return [self.texts[line] for line in lines]

    def _join(self, join: Join, place: Mapping[str, int]) -> int:
        known = (join.condition, join.score)
        if known not in self._joins:
            self._joins[known] = len(self.joins)
            self.joins.append(
                {
                    "left": place[join.left_table],
                    "right": place[join.right_table],
                    "on": [list(pair) for pair in join.column_pairs],
                    "condition": join.condition,
                    "score": round(join.score, 4),
                    **join_facts(join),
                }
            )
            self.written += len(embedded(self.joins[-1]))
        return self._joins[known]


def _tables(solved: SolvedQuestion) -> list[dict[str, Any]]:
    """The candidates: names, size, relevance and where they come from."""
    problem, objective = solved.problem, solved.problem.objective
    contents, instance = solved.tables.relevance.contents, problem.reduction.instance
    tables = [contents.tables[position] for position in problem.tables.tolist()]
    return [
        {
            "id": table.id,
            "name": table.name,
            "database": table.database,
            "columns": len(table.columns),
            "coarse": round(objective.coarse * float(instance.relevance[item]), 3),
            "origin": problem.found.origins[item],
        }
        for item, table in enumerate(tables)
    ]


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
