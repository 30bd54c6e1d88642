"""The words of the names of keys and tables: which row is meant, and what a table holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from joinability.names import abbreviates, name_words, prefix_free, sorts
from joinability.spelling.common_words import ABBREVIATIONS, word_ranks
from joinability.spelling.vocabulary import singular

GOODS = ("isbn", "sku", "vin", "ean", "upc")
"""Last words of names of columns that hold the numbers of books, goods and vehicles."""
KEY_ENDINGS = (
    *"number code uuid guid slug uid key nbr num iso id sk no nr cd pk fk".split(),
    *GOODS,
)
"""Last words of names that say which row is meant; of those run together with a word the first that fits counts."""
REGISTERED = frozenset(
    "asin bic callsign cas cusip doi ein eori geoid gln gtin hostname iata iban icao iccid imei imo imsi isin "
    "issn lei locode mac mmsi mpn msisdn ndc nhs nif npi orcid oui pmid scac sedol serial sic siren siret ssn "
    "swift tin unlocode vat".split()
)
"""Last words of names of columns that hold numbers of other registers: of airports, banks, papers, people, ships."""
KEYS_APART = ("sid", "oid", "xid")  # such words that stand apart: ids of a system, an object, another system
REFERRING = ("ref", "reference")
"""Last words, behind others, of what refers to a key: of `folio_ref`, not of `reference`."""
SURROGATES = frozenset(["id", "key", "sk", "uid", "uuid", "guid", "pk", "slug", *KEYS_APART])
"""Those that number rows and say nothing else: what has such a name is a key of something, or refers to one."""
CALLED = frozenset(
    "addr address caption city comment company country county desc descr description fax firstname fullname label "
    "lastname line message mobile name nickname nm note phone place province remark state street subject suburb "
    "surname tel telephone text title town txt url village website".split()
)
"""Last words of columns that say what something is called, or where it is: two tables may say the same."""
DESCRIBING = frozenset("desc descr description label meaning name nm text title txt".split())
"""Last words of the names of columns that say what the code before them means."""
IDENTIFIES = frozenset([*KEY_ENDINGS, *KEYS_APART]).union(
    REGISTERED,
    "abbr abbreviation acronym barcode email initials iso login mail mnemonic plate ref reference short sign symbol "
    "ticker username".split(),
)
"""Last words of columns that say which one is meant without a number."""
SYNONYMS = {"code": "cd", "number": "no", "nbr": "no", "num": "no", "nr": "no", "ident": "id", "identifier": "id"}
"""Last words of which one name has this and another that."""
SAME_THINGS = dict.fromkeys(["nationality", "natlty", "citizenship"], "country")
"""Words that tell one of the things which tables call otherwise."""
TITLE_PREFIXES = frozenset(
    "bridge brg dim dimension fact fct lkp lookup lu ref reference stage staging stg table tbl view vw".split()
)
"""First words of the names of tables that say what is done with them, not what they hold.

Other words for layers, such as `raw`, `src` and `int`, remain parts of a title. The chances of `NAME_KINDS` and the
weights of the join score are fitted with these words: measure before you add one.
"""
TITLE_SUFFIXES = frozenset(
    "dim fact master mst mstr hd hdr head header tbl table lookup lkp history hist latest current dataset df".split()
)
"""Last words of the same sort."""
OF_KEYS = frozenset(
    "at by card check class count created date day description digit expiry ext extension flag format from group hash "
    "indicator issued kind label length level line list mask name of on origin position prefix rank scheme sequence "
    "set size source standard start status string suffix system text time timestamp title to type valid value "
    "version".split()
)
"""Words behind that for a key which say something of the key, and not which of several it is."""
VERSIONS = frozenset("hist history hst version versions".split())
"""Words for what was before, by which keys tell versions apart."""
WHICH = frozenset(
    "actual alt alternate alternative base current curr default destination final first former from initial last main "
    "new next old orig original other planned prev previous primary prior requested second secondary source sub target "
    "to".split()
)
"""Words that say which of several is meant, and not what it is of."""
KIN = 3
"""Tables whose names begin alike, at least, for that to be the name of a source or a subject."""

Words = tuple[str, ...]
Kin = tuple[str, Words]
"""A schema and a beginning, which several tables have in common."""


def singular_words(names: Sequence[str]) -> list[Words]:
    """The words of names, in the singular."""
    return [tuple(map(singular, name_words(name))) for name in names]


def titles(names: Sequence[str]) -> list[Words]:
    """What tables hold, by their names: words in the singular, without what many have in front and words for layers.

    Examples
    --------
    >>> titles(["wp_posts", "wp_users", "wp_order_items"]), titles(["dim_customer", "customer_master"])
    ([('post',), ('user',), ('order', 'item')], [('customer',), ('customer',)])
    """
    of_tables = []
    for name in prefix_free(names):
        words = [singular(word) for word in name_words(name)]
        while len(words) > 1 and words[0] in TITLE_PREFIXES:
            del words[0]
        while len(words) > 1 and words[-1] in TITLE_SUFFIXES:
            del words[-1]
        of_tables.append(tuple(words))
    return of_tables


class Subject(NamedTuple):
    """What a table holds, told from where it stands.

    Attributes
    ----------
    words : tuple of str
        Of its name, in the singular.
    schema : str
        In which it stands.
    beginning : tuple of str
        The words in front of `words` with which the names of several tables of the schema begin: a source, a subject.
    """

    words: Words
    schema: str
    beginning: Words

    @property
    def kin(self) -> Kin:
        """What it has in common with the tables that stand beside it."""
        return self.schema, self.beginning

    @property
    def title(self) -> Words:
        """The words of its name without its schema."""
        return self.beginning + self.words


def subjects(names: Sequence[str]) -> list[Subject]:
    """What the tables of one database hold, by their names.

    A beginning is a word or two that `KIN` tables have in front of something else. What is the name of a table itself
    is none: the items and the payments of ``order`` are its own.

    Examples
    --------
    >>> told = subjects(["shopify_orders", "shopify_customers", "shopify_order_lines", "visits"])
    >>> [subject.words for subject in told]
    [('order',), ('customer',), ('order', 'line'), ('visit',)]
    """
    of_tables = titles([name.rpartition(".")[2] for name in names])
    schemas = [name.rpartition(".")[0].casefold() for name in names]
    placed = list(zip(schemas, of_tables, strict=True))
    whole = {(schema, "".join(title)) for schema, title in placed}
    shared = Counter((schema, title[:cut]) for schema, title in placed for cut in (1, 2) if len(title) > cut)
    begun = {kin for kin, count in shared.items() if count >= KIN and (kin[0], "".join(kin[1])) not in whole}
    found = []
    for schema, title in placed:
        cut = next((cut for cut in (2, 1) if len(title) > cut and (schema, title[:cut]) in begun), 0)
        found.append(Subject(title[cut:], schema, title[:cut]))
    return found


def says_what_it_is_called(name: Words) -> bool:
    """Whether the name of a column says that it holds what something is called, or where it is.

    Examples
    --------
    >>> [says_what_it_is_called(name) for name in (("home", "city"), ("address1",), ("city", "code"))]
    [True, True, False]
    """
    return bool(name) and name[-1].rstrip("0123456789") in CALLED


def identifies(name: Words) -> bool:
    """Whether the name of a column says that it tells which one is meant.

    Examples
    --------
    >>> [identifies(name) for name in (("short", "sign"), ("iso2",), ("city", "code"), ("segment",))]
    [True, True, True, False]
    """
    return bool(name) and (name[-1].rstrip("0123456789") in IDENTIFIES or bool(about(name)))


def tells_a_register(name: Words) -> bool:
    """Whether the name of a column says that it holds numbers of a register: of goods, vehicles, ships, banks.

    Examples
    --------
    >>> [tells_a_register(name) for name in (("vin",), ("imo",), ("iata", "code"), ("sort", "no"))]
    [True, True, False, False]
    """
    return bool(name) and (name[-1] in GOODS or name[-1] in REGISTERED)


def as_one_word(name: Words) -> str:
    """The words of the name of a key in one, whatever the word for a number or a code is.

    Examples
    --------
    >>> as_one_word(("order", "number")), as_one_word(("order", "no")), as_one_word(("order", "id"))
    ('orderno', 'orderno', 'orderid')
    """
    return "".join((*name[:-1], SYNONYMS.get(name[-1], name[-1]))) if name else ""


@lru_cache(maxsize=65_536)
def unqualified(table: str) -> str:
    """The name of a table without that of its schema: copies of it in other schemas have the same."""
    return table.rpartition(".")[2].casefold()


def about(words: Words) -> Words:
    """The entity that a key name refers to: its words without the key word, which may stand last, first, or run
    together with the last word. () if it is no key name.

    Examples
    --------
    >>> about(("customer", "id")), about(("fk", "customer")), about(("courseid",)), about(("id",)), about(("paid",))
    (('customer',), ('customer',), ('course',), (), ())
    >>> about(("folio", "ref")), about(("reference",))
    (('folio',), ())
    """
    if len(words) > 1 and words[0] == "fk":
        words = words[1:]
        return about(words) or words
    if words and words[-1] in (*KEY_ENDINGS, *KEYS_APART, *REFERRING):
        return words[:-1]
    if len(words) > 1 and words[0] == "id":
        return words[1:]
    if words and words[-1] not in word_ranks():
        for ending in KEY_ENDINGS:
            if words[-1].endswith(ending) and len(words[-1]) > len(ending) + 1:
                return (*words[:-1], singular(words[-1].removesuffix(ending)))
    return ()


def is_number(name: Words) -> bool:
    """Whether the name of a column tells something by a number, or refers to one, and by no id or code.

    Examples
    --------
    >>> [is_number(name) for name in (("customer", "number"), ("po", "ref"), ("customer", "id"), ())]
    [True, True, False, False]
    """
    return bool(name) and (SYNONYMS.get(name[-1], name[-1]) == "no" or name[-1] in REFERRING)


def before_role(words: Words) -> Words:
    """The name of a key before a word for its role or a number: `cust_no` of `cust_no_old`; () where it is none.

    Examples
    --------
    >>> before_role(("term", "code", "entry")), before_role(("major", "code", "1"))
    (('term', 'code'), ('major', 'code'))
    >>> before_role(("customer", "id", "type")), before_role(("customer", "id"))
    ((), ())
    """
    is_before = len(words) > 2 and words[-2] in KEY_ENDINGS and words[-1] not in (*KEY_ENDINGS, *OF_KEYS)
    return words[:-1] if is_before else ()


def describes(names: Iterable[Words], code: Words) -> bool:
    """Whether one of the columns of a table says what a code means, by its name: `ctype_desc` beside `ctype`.

    Examples
    --------
    >>> describes([("ctype",), ("ctype", "description")], ("ctype",))
    True
    >>> describes([("customer", "group"), ("group", "name")], ("customer", "group"))
    True
    """
    told = {name[:-1] for name in names if len(name) > 1 and name[-1] in DESCRIBING}
    return any(code[-length:] in told for length in range(1, len(code) + 1))


def is_unread(words: Words) -> bool:
    """Whether a name is one word, and no word of English.

    Examples
    --------
    >>> is_unread(("matnr",)), is_unread(("material",)), is_unread(("mat", "nr"))
    (True, False, False)
    """
    return len(words) == 1 and len(words[0]) > 2 and words[0] not in word_ranks()


def before_of(words: Words) -> Words:
    """The words of a name before "of", which say what it tells; all where there is none.

    Examples
    --------
    >>> before_of(("country", "of", "birth")), before_of(("order",)), before_of(("out", "of"))
    (('country',), ('order',), ('out', 'of'))
    """
    return words[: words.index("of")] if "of" in words[1:-1] else words


def sorts_something(key: Words, title: Words) -> bool:
    """Whether a key tells sorts of something that the name of its table says and its own does not.

    Examples
    --------
    >>> sorts_something(("typ", "cd"), ("container", "typ")), sorts_something(("typ", "cd"), ("typ",))
    (True, False)
    """
    entity = about(key)
    return len(entity) == 1 < len(title) and sorts(entity[0])


def tells_a_sort(name: Words) -> Words:
    """The words of the name of a column before a word for sorts: what it tells the sort of; () where it tells none.

    Examples
    --------
    >>> tells_a_sort(("permit", "type", "code")), tells_a_sort(("acct", "typ")), tells_a_sort(("type", "code"))
    (('permit',), ('acct',), ())
    """
    entity = about(name) or name
    own = tuple(word for word in entity[:-1] if word not in WHICH)
    return own if entity and sorts(entity[-1]) else ()


@lru_cache(maxsize=65_536)
def sorts_something_else(name: Words, title: Words, key: Words, parent: Words) -> bool:
    """Whether a column tells sorts of one thing, and a key those of another: a `waste_type_code` is no `type_code` of
    `building_type`, but for a column of a table of buildings.

    Parameters
    ----------
    name, title : words
        Of the column and of its table.
    key, parent : words
        Of the key and of its table.

    Examples
    --------
    >>> key, parent = ("type", "code"), ("building", "type")
    >>> sorts_something_else(("waste", "type", "code"), ("route",), key, parent)
    True
    >>> sorts_something_else(("type", "code"), ("bldg",), key, parent)
    False
    >>> sorts_something_else(("main", "type", "code"), ("bldg",), key, parent)
    False
    """
    own = tells_a_sort(name)
    if not own or not sorts_something(key, parent):
        return False
    sorted_by = parent[:-1]
    return not any(words_name_title((word,), (of,)) for word in own + title for of in sorted_by)


def numbers_versions(key: Words) -> bool:
    """Whether the name of a key tells versions apart, and not what they are versions of.

    Examples
    --------
    >>> [numbers_versions(name) for name in (("hist", "id"), ("version", "no"), ("employee", "id"), ("header", "id"))]
    [True, True, False, False]
    """
    entity = about(key)
    return bool(entity) and VERSIONS.issuperset(entity)


def words_name_title(words: Words, title: Words) -> bool:
    """Whether words are those of the name of a table, as they are or in short.

    Examples
    --------
    >>> words_name_title(("ord", "ln"), ("order", "line")), words_name_title(("ln",), ("loan",))
    (True, False)
    """
    if "".join(words) == "".join(title):
        return True
    return len(words) == len(title) and all(map(_means, words, title))


def _means(word: str, whole: str) -> bool:
    """Whether a word is another one or short for it; a known short form of one word is none of another, unless that
    begins with it or is short for the same."""
    if word == whole or word not in ABBREVIATIONS:
        return word == whole or abbreviates(word, whole)
    known = singular(ABBREVIATIONS[word])
    is_same = known in (whole, ABBREVIATIONS.get(whole)) or abbreviates(whole, known)
    return (is_same or whole.startswith(word)) and abbreviates(word, whole)
