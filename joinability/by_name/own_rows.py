"""Words of names of columns that tell another row of their own table: its parent, what it replaces, what it copies."""

from __future__ import annotations

from joinability.by_name.key_words import KEY_ENDINGS, KEYS_APART, SYNONYMS, Words, about
from joinability.spelling.common_words import ABBREVIATIONS, word_ranks

RELATIVES = frozenset(
    "alternate alternative ancestor parent predecessor prequel prev previous prior sequel successor superior up upper "
    "nachfolger uebergeordnet uebergeordnete vorgaenger vorgesetzte vorgesetzter vorgänger übergeordnet übergeordnete "
    "eltern ouder bovenliggend bovenliggende voorganger opvolger precedent suivant superieur superieure pere "
    "anterior padre siguiente pai seguinte precedente successivo superiore genitore".split()
)
"""What another row of a table is to a row, in seven languages."""
STANDINGS = frozenset(
    "amend amended cloned copied correct corrected derived duplicate followup forked merged next original precede "
    "preceded preceding renew renewal renewed replace replaced replacement reply report reversal reverse reversed root "
    "split succeed succeeded succeeding supersede superseded".split()
)
"""How a row may stand to another one of its table; by themselves they may be counts, sums and flags."""
OF_ROWS = frozenset(
    "child clone continuation copy correction dup extension part translation variant version void".split()
)
"""Further words before "of" for what a row is of another one; so are most that begin with "re": a retest, a renewal."""
TOWARDS = frozenset("by for from in into of on to".split())
"""What stands behind such a word, before the other row."""
INTRODUCED = frozenset("introduced invited recommended recruited referred".split())
"""Words before "by" of what one of those who buy or belong to us does for another."""
INTRODUCERS = frozenset("introducer inviter recommender referrer".split())
"""Those who do so."""
BELONG = frozenset(
    "account applicant candidate client contact customer guest lead member partner patient person player profile "
    "student subscriber user".split()
)
"""Last words of the names of tables of such."""
MINORS = frozenset("baby child infant kid minor pupil student".split())
"""Those whose parents are in no table of theirs."""


def tells_own_row(name: Words, title: Words = ()) -> bool:
    """Whether the name of a column, with a word for a key or without, says how another row of its table stands to it,
    and not what this is.

    Parameters
    ----------
    name, title : words
        Of the column, and of what its table holds.

    Examples
    --------
    >>> [tells_own_row(name) for name in (("parent", "id"), ("parent",), ("duplicate", "of"), ("retest", "of"))]
    [True, True, True, True]
    >>> [tells_own_row(name) for name in (("replaced", "by"), ("replaced", "id"), ("replaced",), ("member", "of"))]
    [True, True, False, False]
    >>> tells_own_row(("parent", "id"), ("student",)), tells_own_row(("parent", "account", "id"))
    (False, False)
    >>> tells_own_row(("follow", "up", "of")), tells_own_row(("reply", "to", "id"))
    (True, True)
    """
    core = _as_one_word(about(name) or name)
    *words, last = core or ("",)
    if last not in TOWARDS or not words:
        words = list(core)
    said = [ABBREVIATIONS.get(word, word) for word in words]
    if not said or (title[-1:] and title[-1] in MINORS and "parent" in said):
        return False
    if RELATIVES.issuperset(said):
        return True
    if last == "of" and (said[-1] in OF_ROWS or said[-1].startswith("re")):
        return True
    return RELATIVES.union(STANDINGS).issuperset(said) and (core != _as_one_word(name) or last in TOWARDS)


def _as_one_word(words: Words) -> Words:
    """Words with "follow up" as one."""
    return ("followup", *words[2:]) if words[:2] == ("follow", "up") else words


def tells_who_introduced(name: Words, title: Words) -> bool:
    """Whether the name of a column tells who brought those whom its table holds: another one of them. Users invite the
    members of a team.

    Examples
    --------
    >>> name, others = ("referred", "by", "id"), ("created", "by")
    >>> [tells_who_introduced(name, title) for title in (("loyalty", "member"), ("user",), ("order",))]
    [True, True, False]
    >>> tells_who_introduced(("referrer",), ("user",)), tells_who_introduced(others, ("user",))
    (True, False)
    >>> [tells_who_introduced(("invited", "by"), title) for title in (("user",), ("team", "member"))]
    [True, False]
    """
    core = about(name) or name
    is_act = core[-1:] == ("by",) and not INTRODUCED.isdisjoint(core[-2:-1])
    if core[-2:-1] == ("invited",) and title[-1:] == ("member",):
        return False
    return (is_act or not INTRODUCERS.isdisjoint(core[-1:])) and not BELONG.isdisjoint(title[-1:])


def tells_parent(name: Words) -> bool:
    """Whether the name of a column calls something its parent, whatever that is: `parent_station` of stops.

    Examples
    --------
    >>> tells_parent(("parent", "station")), tells_parent(("parent",)), tells_parent(("station",))
    (True, False, False)
    """
    return len(name) > 1 and name[0] == "parent"


def without_start(words: Words, start: Words) -> Words:
    """Words without those that they begin with, where more follow.

    Examples
    --------
    >>> without_start(("cost", "center", "parent"), ("cost", "center")), without_start(("parent",), ("parent",))
    (('parent',), ('parent',))
    """
    return words[len(start) :] if words[: len(start)] == start != words else words


def key_word(name: Words) -> str:
    """The word for a key in a name, of several that say the same one; "" for none.

    Examples
    --------
    >>> [key_word(name) for name in (("parent", "code"), ("id", "service"), ("empno",), ("parent",))]
    ['cd', 'id', 'no', '']
    """
    last = name[-1] if name else ""
    if last in (*KEY_ENDINGS, *KEYS_APART):
        return SYNONYMS.get(last, last)
    if name[:1] == ("id",):
        return "id"
    run_together = [ending for ending in KEY_ENDINGS if last.endswith(ending) and last not in word_ranks()]
    return SYNONYMS.get(run_together[0], run_together[0]) if run_together else ""
