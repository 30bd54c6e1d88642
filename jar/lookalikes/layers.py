"""Layers of a warehouse: `raw.customers`, `stg_shopify__customers` and `dim_customers` hold one entity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from jar.lookalikes.copy_names import TOOLS, CopyName, database_key
from jar.text.spelled_names import EVERYWHERE, NamedTable
from joinability.names import is_key_name, name_words, prefix_free
from joinability.spelling.vocabulary import singular

RAW, STAGED, BETWEEN, REFINED = range(4)
"""How refined a layer is."""
_WORDS = {
    RAW: "raw src source sources landing lnd ingest ingestion inbound bronze psa",
    STAGED: "stg stage staging base cleansed",
    BETWEEN: "int intermediate silver",
    REFINED: "dim dimension fct fact facts mart marts gold reporting rpt presentation consumption",
}
LAYERS = {word: level for level, words in _WORDS.items() for word in words.split()}
"""Words that tell the layer, at the start of a table's name or in that of its schema."""
LAST = frozenset(["raw", "stg", "staging", "dim", "fct", "fact", "facts"])
"""Those of them that tell it at the end of a name, too."""
SCHEMAS = LAYERS | dict.fromkeys(["snapshot", "snapshots"], RAW)
"""Words that tell it in the name of a schema; there a table may say them again: `snapshots.customers_snapshot`."""
PLAIN = frozenset(["raw", "stg", "staging"])
"""Layers beside which a table of no layer is one of the refined, where no others are."""
IN_FULL = {"stg": "staging", "fct": "fact", "int": "intermediate", "lnd": "landing"}
"""Words of a question for short forms in names."""
LEAST_TABLES = 2
"""Tables of a layer, at least, for it to be in use."""
LEAST_LAYERS = 2
"""Layers of a warehouse, at least."""
LEAST_NAMES = 2
"""Names of raw and staged tables that a source begins, at least."""
SHARED = 0.5
"""Share of the columns of the narrower of two tables of one entity, or of their keys, that both layers have."""
FEWEST = 2
"""Columns that both have, at least."""
PART = 4
"""Letters of a column's name, from which one that begins or ends with it is alike."""
TECHNICAL = TOOLS | frozenset("loaded synced ingested extracted inserted etl elt batch sdc".split())
"""Words of columns that tell of the loading of a row."""
KEYS = ("number", "uuid", "guid", "uid", "key", "nbr", "num", "sk", "pk", "fk", "nr", "no", "id")
"""Ends of columns' names that layers say in turn: `id`, `customer_key`."""


@dataclass(frozen=True)
class Layered:
    """A table of a layer.

    Attributes
    ----------
    level : int
        How refined.
    said : frozenset of str
        What a question may say of the layer and of the source, in the singular.
    entity : tuple of str
        The words of what it holds, in the singular.
    columns, keys : frozensets of str
        Those of its columns that tell what it holds, and of them those that are called like keys.
    """

    level: int
    said: frozenset[str]
    entity: tuple[str, ...]
    columns: frozenset[str]
    keys: frozenset[str]


@dataclass(frozen=True)
class _Read:
    """The name of a table as that of a layer: words of its schema, of its layer, of its source, and the others."""

    schema: tuple[str, ...]
    layer: str
    source: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def entity(self) -> tuple[str, ...]:
        return tuple(f"{word[:-2]}e" if word.endswith("sis") else singular(word) for word in self.rest)

    @property
    def level(self) -> int | None:
        if self.layer:
            return LAYERS[self.layer]
        return next((SCHEMAS[word] for word in self.schema if word in SCHEMAS), None)


@lru_cache(maxsize=1 << 16)
def warehouse_and_schema(database: str, table: str) -> tuple[str, str]:
    """What the layers of a table share, and its schema: a schema may be a database of its own, behind its warehouse."""
    head, _, last = database.rpartition(".")
    schema = table.rpartition(".")[0]
    if SCHEMAS.keys().isdisjoint(name_words(last)):
        return database_key(database), schema
    return database_key(head), f"{last} {schema}"


def layer_groups(
    tables: Sequence[NamedTable], names: Sequence[CopyName], copies: Sequence[Sequence[int]]
) -> tuple[dict[int, Layered], list[list[int]]]:
    """The tables in the layers of warehouses that have an entity in several of them, and the tables of such entities.

    Parameters
    ----------
    tables : N tables
    names : N names
    copies : lists of positions
        Tables that are copies of each other.
    """
    warehouses: dict[str, dict[int, NamedTable]] = {}
    for place, table in enumerate(tables):
        warehouses.setdefault(warehouse_and_schema(table.database, table.name)[0], {})[place] = table
    copy_of = {place: number for number, group in enumerate(copies) for place in group}
    layers: dict[int, Layered] = {}
    groups: list[list[int]] = []
    for inside in warehouses.values():
        told = _layers_of(inside, names)
        found = _entities(told, copy_of)
        if found:
            layers |= told
            groups += found
    return layers, groups


def _entities(layers: Mapping[int, Layered], copy_of: Mapping[int, int]) -> list[list[int]]:
    """The tables of each entity that several layers have, but for those that are copies anyway.

    The most refined come first: each other table is of the entity of that one which it is most like.
    """
    same: dict[tuple[str, ...], list[int]] = {}
    for place in sorted(layers, key=lambda place: -layers[place].level):
        same.setdefault(layers[place].entity, []).append(place)
    found: list[tuple[dict[int, int], list[int]]] = []
    for places in same.values():
        entities: list[tuple[dict[int, int], list[int]]] = []
        for place in places:
            layer, copied = layers[place], copy_of.get(place, -1)
            likeness = [
                max(
                    1.0 if copied >= 0 and copied == copy_of.get(member, -1) else _likeness(layer, layers[member])
                    for member in first.values()
                )
                for first, _ in entities
            ]
            best = max(likeness, default=0.0)
            if best < SHARED:
                entities.append(({layer.level: place}, [place]))
            else:
                first, members = entities[likeness.index(best)]
                first.setdefault(layer.level, place)
                members.append(place)
        found += entities
    return [
        members
        for first, members in found
        if len(first) > 1 and len({copy_of.get(place, -1 - place) for place in members}) > 1
    ]


def _layers_of(tables: Mapping[int, NamedTable], names: Sequence[CopyName]) -> dict[int, Layered]:
    """The tables of one warehouse that are in a layer; none where fewer than two layers are in use."""
    read = {place: _read(table, names[place]) for place, table in tables.items()}
    counts = Counter(one.level for one in read.values())
    used = {level for level, count in counts.items() if level is not None and count >= LEAST_TABLES}
    if REFINED not in used and any(_is_plain(one) for one in read.values()):
        levels = {place: REFINED if one.level is None else one.level for place, one in read.items()}
        used |= {REFINED}
    else:
        levels = {place: one.level for place, one in read.items() if one.level is not None}
    levels = {place: level for place, level in levels.items() if level in used}
    if len(set(levels.values())) < LEAST_LAYERS:
        return {}
    sources = _sources(read, levels)
    return {place: _layered(tables[place], read[place], level, sources) for place, level in levels.items()}


def _likeness(one: Layered, other: Layered) -> float:
    """The share of the columns of the narrower of two tables, or of its keys, that both have; of different layers."""
    if one.entity != other.entity or one.level == other.level:
        return 0.0
    return max(_share(one.columns, other.columns), _share(one.keys, other.keys))


def _read(table: NamedTable, name: CopyName) -> _Read:
    schema = name_words(warehouse_and_schema(table.database, table.name)[1])
    layer, rest = next((word for word in name.before if word in LAYERS), ""), name.root
    if not layer and len(rest) > 1 and rest[0] in LAYERS:
        layer, rest = rest[0], rest[1:]
    elif not layer and len(rest) > 1 and rest[-1] in LAST:
        layer, rest = rest[-1], rest[:-1]
    layer = layer or next((word for word in name.after if word in LAST), "")
    again = {singular(word) for word in schema if word in SCHEMAS}
    while len(rest) > 1 and singular(rest[-1]) in again:
        rest = rest[:-1]
    head, separator, _ = table.name.rpartition(".")[2].partition("__")
    source = tuple(word for word in name_words(head) if word != layer and word not in name.before) if separator else ()
    if len(source) < len(rest) and rest[: len(source)] == source:
        return _Read(schema, layer, source, rest[len(source) :])
    return _Read(schema, layer, (), rest)


def _is_plain(read: _Read) -> bool:
    return read.layer in PLAIN if read.layer else not PLAIN.isdisjoint(read.schema)


def _sources(read: Mapping[int, _Read], levels: Mapping[int, int]) -> frozenset[tuple[str, ...]]:
    """What names of raw and staged tables begin with that is none of the entities: `shopify`."""
    lower = [read[place] for place, level in levels.items() if level <= STAGED]
    higher = {read[place].rest[0] for place, level in levels.items() if level > STAGED}
    whole = {singular(one.rest[0]) for one in read.values() if len(one.rest) == 1}
    begun = Counter(one.rest[0] for one in lower if len(one.rest) > 1 and not one.source)
    told = {one.source for one in lower}
    told |= {tuple(word for word in one.schema if word not in SCHEMAS | dict.fromkeys(EVERYWHERE)) for one in lower}
    entities = {read[place].entity for place, level in levels.items() if level > STAGED}
    rests = {one.rest[0]: one.entity[1:] for one in lower if len(one.rest) > 1}
    told |= {
        (word,)
        for word, count in begun.items()
        if (count >= LEAST_NAMES or rests[word] in entities) and singular(word) not in whole and word not in higher
    }
    return frozenset(filter(None, told))


def _layered(table: NamedTable, read: _Read, level: int, sources: Collection[tuple[str, ...]]) -> Layered:
    if level > STAGED:  # int_orders__pivoted
        read = replace(read, source=(), rest=read.source + read.rest)
    elif not read.source:
        fitting = (one for one in sources if len(one) < len(read.rest) and read.rest[: len(one)] == one)
        source = max(fitting, key=len, default=())
        read = replace(read, source=source, rest=read.rest[len(source) :])
    entity = read.entity
    told = (read.layer, IN_FULL.get(read.layer, ""), *read.source)
    names = [name for name in table.column_names if not is_technical(name)]
    columns = {_told(name, entity): is_key_name(name) for name in prefix_free(names)}
    return Layered(
        level=level,
        said=frozenset(singular(word) for word in told if word),
        entity=entity,
        columns=frozenset(columns),
        keys=frozenset(name for name, is_key in columns.items() if is_key),
    )


def is_technical(column: str) -> bool:
    """Whether a column tells of the loading of a row, by its name."""
    return column.startswith("_") or not TECHNICAL.isdisjoint(name_words(column))


def _told(column: str, entity: Sequence[str]) -> str:
    """What the name of a column says beside the entity of its table; of a key with `id` as its last word."""
    said = "".join(map(singular, name_words(column)))
    if is_key_name(column):
        ending = next((ending for ending in KEYS if said.endswith(ending)), None)
        said = f"{said.removesuffix(ending)}id" if ending else said
    for start in range(len(entity)):
        rest = said.removeprefix("".join(entity[start:]))
        if rest and rest != said:
            return rest
    return said


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the narrower of two sets of columns that is in the other, in full or as a part of a name."""
    narrow, wide = sorted((one - other, other - one), key=len)
    parts = sum(any(_is_part(*sorted((name, long), key=len)) for long in wide) for name in narrow)
    both = len(one & other)
    return (both + parts) / min(len(one), len(other)) if both and both + parts >= FEWEST else 0.0


def _is_part(short: str, long: str) -> bool:
    return len(short) >= PART and (long.startswith(short) or long.endswith(short))
