"""References that the names of tables and columns alone tell: schemas whose rows and keys nobody knows.

A table has a key: its declared primary key, a column called ``id``, one that is named after the table (``customer_id``
of ``customers``), or else the column that leads it, if that is called like a key. A column of another table refers to
it when it has its name, or is named after its table, behind a word for its role or not. `KINDS` has the ways in which
names say so, and how often each is right on databases whose keys are known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from joinability.names import GENERIC, abbreviates, is_key_name, name_words, prefix_free
from joinability.spelling.common_words import word_ranks
from joinability.spelling.vocabulary import singular

KEY_ENDINGS = ("number", "code", "uuid", "guid", "uid", "key", "nbr", "num", "id", "sk", "no", "nr", "cd", "pk", "fk")
"""Last words of names that say which row is meant; they may be run together with the word before them, and then the
first of these that fits counts."""
SURROGATES = frozenset(["id", "key", "sk", "uid", "uuid", "guid", "pk"])
"""Those that number rows and say nothing else: what has such a name is a key of something, or refers to one."""
LAYERS = frozenset(["dim", "fact", "fct", "stg", "stage", "staging", "brg", "bridge", "tbl", "lkp", "lu", "ref", "vw"])
"""First words of the names of tables that say what is done with them, not what they hold."""
FORMS = frozenset(["dim", "fact", "master", "mst", "mstr", "hdr", "header", "tbl", "table", "lookup", "lkp"])
"""Last words of the same sort."""
UNIVERSAL = 4
"""Names of tables, and more than half of all, that have a column which therefore is the key of none: a client, a time
stamp."""
FEW = 3
"""Other tables that a name leads, from which on it is hardly the key of any of them."""
MOST_WAYS = 50
"""Tables with a key of one name, beyond which a name says nothing of any."""

KINDS: dict[str, tuple[float, str]] = {
    "same": (0.91, "it has the name of the key: orders.customer_id, customers.customer_id"),
    "named": (0.9, "it is named after the table: orders.customer_id or CUSTOMERID, customers.id"),
    "role": (0.83, "so it is behind other words: orders.bill_customer_id"),
    "short": (0.55, "it is named after the table in short: orders.cust_no, customers.id"),
    "role short": (0.4, "so it is behind other words: orders.bill_addr_id, addresses.id"),
    "lead": (0.95, "it has the name of the key that leads a table not named after it: vbap.matnr, mara.matnr"),
    "role lead": (0.76, "so it is behind other words"),
    "both lead": (0.75, "both lead their tables, and have one name"),
    "many lead": (0.2, "that name leads four tables and more"),
    "bare": (0.76, "it has the name of the table: quiz.course, course.id"),
    "last": (0.7, "it is named after the last words of the table: sale_order.partner_id, res_partner.id"),
    "role last": (0.15, "so it is behind other words: sale_order.invoice_partner_id"),
    "first": (0.1, "it is named after the first words of the table: title.kind_id, kind_type.id"),
    "siblings": (0.25, "both have the name of a key that no table has"),
}
"""Kinds of references by name, of which the first that applies counts: the chance of each where one table alone has
such a key, and what says so. A chance is the share that is right on Spider's training databases, as they are, damaged
and shortened (`python -m benchmarks joins names`); of kinds that these hardly have (short, role short, last, role last,
first, siblings) it is set by hand."""
SIBLINGS = KINDS["siblings"][0]


class NamedTable(NamedTuple):
    """What is known of a table.

    Attributes
    ----------
    name : str
    columns : names
    kinds : numbers
        What each column holds; columns of different kinds do not refer to each other, and -1 fits all.
    key : names
        The declared primary key; () where it is not known.
    """

    name: str
    columns: Sequence[str]
    kinds: Sequence[int]
    key: Sequence[str] = ()


class NamedReference(NamedTuple):
    """A reference of a child to a parent, both as places of table and column, its kind and its chance."""

    child: tuple[int, int]
    parent: tuple[int, int]
    kind: str
    chance: float


Words = tuple[str, ...]


def named_references(tables: Sequence[NamedTable]) -> list[NamedReference]:
    """The references between the tables of one database that their names tell.

    A column has one kind of reference, the first of `KINDS` that applies. Where n tables have such a key, each has

        chance = p_kind * 3 / (2 + n)

    Examples
    --------
    >>> orders = NamedTable("orders", ["id", "customer_id", "placed"], [0, 0, 1])
    >>> named_references([orders, NamedTable("customers", ["id", "name"], [0, 1])])
    [NamedReference(child=(0, 1), parent=(1, 0), kind='named', chance=0.9)]
    """
    return list(NamedKeys(tables).references())


def titles(names: Sequence[str]) -> list[Words]:
    """What tables hold, by their names: words in the singular, without what many have in front and words for layers.

    Examples
    --------
    >>> titles(["wp_posts", "wp_users", "wp_order_items"]), titles(["dim_customer", "customer_master"])
    ([('post',), ('user',), ('order', 'item')], [('customer',), ('customer',)])
    """
    told = []
    for name in prefix_free(names):
        words = [singular(word) for word in name_words(name)]
        while len(words) > 1 and words[0] in LAYERS:
            del words[0]
        while len(words) > 1 and words[-1] in FORMS:
            del words[-1]
        told.append(tuple(words))
    return told


@lru_cache(maxsize=65_536)
def unqualified(table: str) -> str:
    """The name of a table without that of its schema: copies of it in other schemas have the same."""
    return table.rpartition(".")[2].casefold()


def about(words: Words) -> Words:
    """What a name that says which row is meant is about: its words without the one that says so, which stands last, or
    first, or is run together with the last; () for another name.

    Examples
    --------
    >>> about(("customer", "id")), about(("fk", "customer")), about(("courseid",)), about(("id",)), about(("paid",))
    (('customer',), ('customer',), ('course',), (), ())
    """
    if len(words) > 1 and words[0] == "fk":
        words = words[1:]
        return about(words) or words
    if words and words[-1] in KEY_ENDINGS:
        return words[:-1]
    if len(words) > 1 and words[0] == "id":
        return words[1:]
    if words and words[-1] not in word_ranks():
        for ending in KEY_ENDINGS:
            if words[-1].endswith(ending) and len(words[-1]) > len(ending) + 1:
                return (*words[:-1], singular(words[-1].removesuffix(ending)))
    return ()


class NamedKeys:
    """The keys of the tables of a database, by the names under which others refer to them."""

    def __init__(self, tables: Sequence[NamedTable]) -> None:
        self.tables, self.titles = tables, titles([table.name for table in tables])
        self.raw = [_read(table.columns) for table in tables]
        self.bare = [_read(prefix_free(table.columns)) for table in tables]
        called = [unqualified(table.name) for table in tables]
        held = {(called[place], name) for place, names in enumerate(self.raw) for name in names}
        having = Counter(name for _, name in held)
        least = max(UNIVERSAL, len(set(called)) // 2 + 1)
        self.universal = {name for name, n in having.items() if n >= least and not GENERIC.issuperset(name)}
        self.own = {place: key for place in range(len(tables)) if (key := self._own_key(place)) is not None}
        self.leading = {
            place: key
            for place in range(len(tables))
            if place not in self.own and (key := self._leading_key(place)) is not None
        }
        self.same, self.whole, self.last, self.first, self.lead = (defaultdict[str, list[int]](list) for _ in range(5))
        self.by_letter: defaultdict[tuple[int, str], list[tuple[int, Words]]] = defaultdict(list)
        self._name_keys()
        self._found: dict[tuple[Words, Words], tuple[tuple[str, tuple[int, ...]], ...]] = {}

    def _name_keys(self) -> None:
        for place, key in self.own.items():
            for name in {self.bare[place][key], self.raw[place][key]}:
                if not GENERIC.issuperset(name):
                    self.same["".join(name)].append(place)
        for place, key in self.leading.items():
            for name in {self.bare[place][key], self.raw[place][key]}:
                self.lead["".join(name)].append(place)
        for place in (*self.own, *self.leading):
            self.whole["".join(self.titles[place])].append(place)
        for place in self.own:
            title = self.titles[place]
            for cut in range(1, len(title)):
                self.last["".join(title[cut:])].append(place)
                self.first["".join(title[:cut])].append(place)
            for words in {title, about(self.bare[place][self.own[place]])} - {()}:
                self.by_letter[len(words), words[0][0]].append((place, words))

    def _own_key(self, place: int) -> int | None:
        """The declared key, else the first column with a generic name of a key, else that named after the table."""
        declared = self._declared_key(place)
        if declared:
            return declared[0] if len(declared) == 1 else None
        names = self.bare[place]
        for column, words in enumerate(names):
            generic = len(words) == 1 and words[0] in KEY_ENDINGS
            if generic and (column == 0 or (words == self.raw[place][column] and words[0] in SURROGATES)):
                return column
        for column, words in enumerate(names):
            told, title = about(words), self.titles[place]
            is_named = told == title or (column == 0 and (_says(told, title) or told == title[-len(told) :]))
            if told and is_named:
                return column
        return None

    def _declared_key(self, place: int) -> list[int]:
        """The columns of the declared primary key, but for those that nearly all tables have."""
        columns = self.tables[place].columns
        key = [column for column, name in enumerate(columns) if name in self.tables[place].key]
        return [column for column in key if self.raw[place][column] not in self.universal] or key

    def _leading_key(self, place: int) -> int | None:
        """The first column that not nearly all tables have, if it is called like a key, or by no word of English; none
        where it is part of a declared key."""
        if self.tables[place].key:
            return None
        for column, name in enumerate(self.raw[place]):
            if name not in self.universal:
                words = self.bare[place][column]
                unread = len(words) == 1 and len(words[0]) > 2 and words[0] not in word_ranks()
                return column if unread or is_key_name("_".join(words)) else None
        return None

    def _key(self, place: int) -> int:
        return self.own[place] if place in self.own else self.leading[place]

    def columns(self) -> Iterable[tuple[int, int]]:
        """The keys as places of table and column."""
        return (*self.own.items(), *self.leading.items())

    def first_columns(self) -> Iterator[tuple[int, int]]:
        """The first column of each table that not nearly all tables have, as places of table and column."""
        for place, names in enumerate(self.raw):
            yield from [(place, column) for column, name in enumerate(names) if name not in self.universal][:1]

    def references(self) -> Iterator[NamedReference]:
        """All references, table by table; then those between columns whose key no table has."""
        strays: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for child, table in enumerate(self.tables):
            for column in range(len(table.columns)):
                found = self._of_column(child, column)
                yield from found
                bare, unread = self.bare[child][column], not any(one.chance > SIBLINGS for one in found)
                if unread and self.own.get(child) != column and self._is_stray(bare):
                    strays["".join(bare)].setdefault(child, column)
        for members in strays.values():
            if len(members) <= MOST_WAYS and len(members) <= max(2, len(self.tables) // 2):
                for one, other in combinations(members.items(), 2):
                    if self._fit(one, other):
                        yield NamedReference(one, other, "siblings", SIBLINGS)

    def _is_stray(self, name: Words) -> bool:
        """Whether a name is that of a key elsewhere: of several words, of which the first are not "parent"."""
        return len(name) > 1 and name[-1] in SURROGATES and name[:-1] != ("parent",)

    def _of_column(self, child: int, column: int) -> list[NamedReference]:
        """The references of a column, all of one kind."""
        if self.raw[child][column] in self.universal and not about(self.raw[child][column]):
            return []
        is_own, leads = self.own.get(child) == column, self.leading.get(child) == column
        for kind, places in self._meant(self.bare[child][column], self.raw[child][column]):
            ends = [(place, self._key_for(child, column, place)) for place in places if place != child]
            ends = self._near(child, [end for end in ends if self._fit((child, column), end)])
            if ends:
                if len(ends) > MOST_WAYS or (is_own and kind not in ("same", "named", "lead")):
                    return []
                told = kind if kind != "lead" or not leads else "both lead" if len(ends) < FEW else "many lead"
                chance = KINDS[told][0] * 3 / (2 + len(ends))
                return [NamedReference((child, column), end, told, chance) for end in ends]
        return []

    def _key_for(self, child: int, column: int, place: int) -> int:
        """The key of a table to which a column refers: a column of the same name goes before that which is the key."""
        names = {self.raw[child][column], self.bare[child][column]}
        alike = [other for other, name in enumerate(self.raw[place]) if name in names and not GENERIC.issuperset(name)]
        return alike[0] if alike else self._key(place)

    def _near(self, child: int, ends: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Of several keys those of tables whose names begin like that of the child: sale_order for sale_order_line."""
        return [end for end in ends if self.titles[end[0]][:1] == self.titles[child][:1]] or ends

    def _fit(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether two columns may hold the same values, by their kinds."""
        first, second = (self.tables[place].kinds[column] for place, column in (one, other))
        return first == second or -1 in (first, second)

    def _in_short(self, told: Words) -> list[int]:
        """The tables that words may mean in short, by their names or by those of their keys."""
        alike = self.by_letter.get((len(told), told[0][:1]), ())
        return [place for place, words in alike if _says(told, words)]

    def _meant(self, bare: Words, raw: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The tables whose key a name may mean, kind by kind; a name is read once."""
        found = self._found.get((bare, raw))
        if found is None:
            told: dict[str, dict[int, None]] = {}
            for kind, places in self._readings(bare, raw):
                told.setdefault(kind, {}).update(dict.fromkeys(places))
            found = tuple((kind, tuple(told[kind])) for kind in KINDS if told.get(kind))
            self._found[bare, raw] = found
        return found

    def _readings(self, bare: Words, raw: Words) -> Iterator[tuple[str, Sequence[int]]]:
        for name in (bare, raw):
            yield "same", self.same.get("".join(name), ())
            yield "lead", self.lead.get("".join(name), ())
            for cut in range(1, len(name)):
                yield "role", self.same.get("".join(name[cut:]), ())
                yield "role lead", self.lead.get("".join(name[cut:]), ())
        for name in (bare, raw):
            told = about(name)
            if GENERIC.issuperset(name):
                continue
            if not told:
                yield "bare", self.whole.get("".join(name), ())
                continue
            yield "named", self.whole.get("".join(told), ())
            yield "short", self._in_short(told)
            for cut in range(1, len(told)):
                yield "role", self.whole.get("".join(told[cut:]), ())
                yield "role short", self._in_short(told[cut:])
            if name[-1] in SURROGATES:
                yield "last", self.last.get("".join(told), ())
                yield "first", self.first.get("".join(told), ())
                for cut in range(1, len(told)):
                    yield "role last", self.last.get("".join(told[cut:]), ())


def _read(names: Sequence[str]) -> list[Words]:
    """The words of names, in the singular."""
    return [tuple(map(singular, name_words(name))) for name in names]


def _says(words: Words, title: Words) -> bool:
    """Whether words are those of a title, as they are or in short."""
    if "".join(words) == "".join(title):
        return True
    return len(words) == len(title) and all(
        one == other or abbreviates(one, other) for one, other in zip(words, title, strict=True)
    )
