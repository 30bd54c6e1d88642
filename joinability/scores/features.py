"""Features of a reference: what the default score weighs when one column, the child, may refer to another, the parent.

All are numbers between 0 and 1, so that their weights can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from joinability.attributes import cached_property
from joinability.by_name.quantity_words import PLURAL, PUT_IN_ORDER
from joinability.by_name.table_names import LONGEST_CODE
from joinability.evidence.name_forms import FIRST_OF_DEALERS
from joinability.evidence.traits import INTEGERS, KEY_UNIQUENESS
from joinability.families import KINDS
from joinability.scores.inclusion import best_telling_of, inclusion, namesake_inclusion

if TYPE_CHECKING:
    from joinability.arrays import AnyArray, Array, Flags, Indices, Vectors
    from joinability.evidence.blocks import EvidenceBlock, PairBlock

LOW = 0.02
"""Share of the parent's range within which the child's least value lies where it stands at its low end."""
ALIKE = 0.8
"""Similarity of headers above which two names are as good as one."""
MOSTLY = 0.5
"""Inclusion in a key of random identifiers above which two columns mean the same things."""
LIKELY = 0.5
"""Chance by name above which a name says a reference."""


class Pairs:
    """p pairs (child, parent), and the evidence on them.

    Parameters
    ----------
    block : EvidenceBlock
        The children on the left, the parents on the right. Of a matrix what depends on one side alone is a row or a
        column.
    """

    def __init__(self, block: EvidenceBlock) -> None:
        self.block, self.evidence, self.traits = block, block.evidence, block.evidence.traits
        self.child, self.parent = block.left, block.right

    @cached_property
    def inclusion(self) -> Vectors:
        """|A n B| / |A|, A the values of the child and B those of the parent."""
        return inclusion(self.block)

    @cached_property
    def somebody(self) -> Flags:
        """Values are known, the parent's table holds those who act, and the child's name says what somebody does, or
        names one of these: "handled_by" or "user_id" among users. Parties of contracts and firms do other things."""
        people, traits = self.traits.people[self.parent], self.traits
        dealer = people - FIRST_OF_DEALERS
        deals = traits.deals[self.child] >> np.maximum(dealer, 0) & 1
        does = np.where(dealer >= 0, deals > 0, traits.acts[self.child])
        named = does | (traits.person[self.child] == people)
        return np.asarray(named & (people > 0) & ~self.block.unknown)

    @cached_property
    def alongside(self) -> Flags:
        """References that no other column of the child's table excludes, because their names say each: one means
        `somebody`, or ends with the name of the parent, as "home_team_id" does and "away_team_id"; of unknown values
        one is likelier than not by its name, as a nationality is beside a country of birth."""
        by_name = self.block.unknown & (self.block.by_name_right > LIKELY)
        return np.asarray(self.somebody | self.block.name_ends_right | by_name)

    @cached_property
    def in_random_key(self) -> Vectors:
        """Inclusion in a key of random identifiers: what has them means the same things, whatever it is called."""
        is_key = self.traits.random & (self.evidence.uniqueness >= KEY_UNIQUENESS)
        return np.asarray(self.inclusion * is_key[self.parent])

    @cached_property
    def unrivalled(self) -> Flags:
        """Which kind of rival, in the order of `RIVALS`, never excludes a reference, shape (p, 2): an other parent
        where the values are random identifiers, an other child there and `alongside`."""
        same = self.in_random_key > MOSTLY
        return np.column_stack([same, same | self.alongside])

    @cached_property
    def named_after(self) -> Vectors:
        """The share of the words of the parent table's name in the child's name; 1 where it means `somebody`."""
        return np.maximum(self.block.named_after_right, self.somebody)

    @cached_property
    def agree(self) -> Flags:
        """The child's name ends with the parent's, or is alike."""
        return np.asarray(self.block.name_ends_right | (self.block.header_similarity > ALIKE))

    @cached_property
    def same_code(self) -> Flags:
        """The names agree, and the parent's values are codes, whatever its name says."""
        return np.asarray(self.agree & self.traits.codes[self.parent] & ~self.traits.called[self.parent])

    @cached_property
    def nameless(self) -> AnyArray:
        """How far the names alone do not suggest the reference: 1 less `named_after`; 0 where they `agree`."""
        return np.asarray((1 - self.named_after) * ~self.agree)

    @cached_property
    def measures(self) -> Flags:
        """The child is named like a quantity, and the parent is no list of such, neither by its own name nor by its
        table's: of a rate among rate plans, or a release month among months, the child may be a reference. A plural
        counts what another table lists: the seats of a hall are none of the seats. A number that is called after the
        quantity alone, unlike the key, is none where its values are not known: a rating is no `ratings.id`; nor is
        what puts in order: `order` is none of the orders.
        A short code whose values are unknown is no quantity."""
        quantity, listed = self.traits.quantity[self.child], self.traits.of_quantities[self.parent]
        is_number = self.traits.kind[self.child] == KINDS.index("number")
        is_plain = self.block.unknown & (quantity < 0) | np.isin(quantity, PUT_IN_ORDER)
        is_itself = is_number & is_plain & (self.block.header_similarity <= ALIKE)
        whole_name_in_title = (quantity < 0) & (self.block.named_after_right > 0)
        agree = self.agree & _leads(self, self.parent) & (quantity != PLURAL)
        length = self.evidence.length[self.child]
        is_text = self.traits.kind[self.child] == KINDS.index("text")
        is_code = self.block.unknown & is_text & (length > 0) & (length <= LONGEST_CODE)
        other = (quantity != 0) & (np.abs(quantity) != listed) & ~is_code
        return np.asarray(other & ~whole_name_in_title & ~agree | is_itself)

    @cached_property
    def of_other_sorts(self) -> Flags:
        """The child tells sorts of one thing, and the parent those of another."""
        return self.evidence.forms.sort_names.differ(self.child, self.parent)


@dataclass(frozen=True)
class Feature:
    """One quantity of a reference.

    Attributes
    ----------
    name : str
    sign : 1 or -1
        1 where it is evidence for a reference, -1 where against it: the sign of its weight, unless that is 0.
    of : callable
        The quantity of p pairs, as an array (p,) of any type.
    meaning : str
    state : str
        The state of knowledge in which alone it counts; "" for all.
    """

    name: str
    sign: int
    of: Callable[[Pairs], AnyArray]
    meaning: str
    state: str = ""


def features(block: PairBlock) -> Vectors:
    """The features of a reference of the left column to the right one, for p pairs.

    Returns
    -------
    array (p, F)
        A column for each of `FEATURES`.
    """
    pairs = Pairs(block)
    return np.stack([feature.of(pairs).astype(np.float32) for feature in FEATURES.values()], axis=-1)


def _telling_inclusion(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.inclusion * ~pairs.traits.counted[pairs.parent])


def _narrow_low(pairs: Pairs) -> Array:
    """How far the span of the child's integers in n rows falls short of (n - 1) / (n + 1) of the parent's range, where
    it begins at the low end of that range, and 0 elsewhere, or where the child means `somebody`: few people approve.

    That share is the expected span of n numbers drawn uniformly from the range. Quantities, ranks and ages fall short
    of it at the low end of a key's range; the facts of five years in a calendar of two hundred stand anywhere in it.
    The child stands at the low end where it begins at most 1 and `LOW` of the range above the parent's least value.
    """
    evidence, child, parent = pairs.evidence, pairs.child, pairs.parent
    integers = (evidence.integer_share[child] > INTEGERS) & (evidence.integer_share[parent] > INTEGERS)
    lowest, highest = evidence.lowest, evidence.highest
    n = evidence.rows[child] - evidence.nulls[child]
    with np.errstate(invalid="ignore", divide="ignore"):  # columns without numbers have no range
        span = highest[parent] - lowest[parent]
        short = np.clip((n - 1) / (n + 1) - (highest[child] - lowest[child] + 1) / (span + 1), 0, 1)
        low = lowest[child] - lowest[parent] <= LOW * span + 1
    return np.where(integers & low & ~pairs.somebody, np.nan_to_num(short), 0)


def _constant(pairs: Pairs) -> AnyArray:
    return np.asarray((pairs.evidence.distinct[pairs.child] <= 1) * pairs.nameless * ~pairs.block.unknown)


def _outdone(pairs: Pairs) -> Array:
    best = best_telling_of(pairs.evidence, pairs.child, pairs.block.vetoes)
    return np.maximum(best - pairs.inclusion, 0)


def _backward(pairs: Pairs) -> AnyArray:
    beyond = np.maximum(pairs.block.containment_right - pairs.inclusion, 0)
    return np.asarray(beyond * pairs.evidence.uniqueness[pairs.child])


def _nameless_counted(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.inclusion * pairs.nameless * pairs.traits.counted[pairs.parent])


def _nameless_loss(pairs: Pairs) -> AnyArray:
    return np.asarray((1 - pairs.inclusion) * pairs.nameless * ~pairs.block.unknown)


def _namesake(pairs: Pairs) -> AnyArray:
    return np.asarray((namesake_inclusion(pairs.block) >= pairs.inclusion) & ~pairs.block.unknown)


def _leads(pairs: Pairs, column: Indices) -> Flags:
    """The most unique column of its table (first on ties). Without rows, also the first column whose name is not shared
    by most tables, and the key by its name, wherever it stands."""
    return np.asarray(pairs.traits.leads[column] | _begins(pairs, column))


def _begins(pairs: Pairs, column: Indices) -> Flags:
    """Of whose values nothing is known, and the first column by its name, or the key."""
    named = pairs.evidence.named
    return np.asarray(named.begins[column] | (named.is_key[column] & pairs.evidence.silent[column]))


def _parent_first(pairs: Pairs) -> Flags:
    return np.asarray((pairs.evidence.place[pairs.parent] == 0) | _begins(pairs, pairs.parent))


def _parent_leads(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.evidence.uniqueness[pairs.parent] * _leads(pairs, pairs.parent))


def _natural_key(pairs: Pairs) -> AnyArray:
    """Inclusion in a key that does not lead its table, of texts, of numbers with leading zeros, or of a register; less
    what of it lies in a larger telling key, times (d - 1) / (d + 1) with d the child's distinct values, and times the
    share of the key that the child lacks where the child is a key itself, as in a copy of the table.

    0 where the names do not tell a key: the parent's does not say that it identifies, the child's neither names the
    parent's table nor somebody, and the two do not agree on a code; or the parent's says what something is called, or
    how much it is.
    """
    evidence, traits, child, parent = pairs.evidence, pairs.traits, pairs.child, pairs.parent
    numbers = (traits.registered | evidence.zero_filled) & ~traits.counted & (evidence.integer_share > INTEGERS)
    is_key = ((traits.kind == KINDS.index("text")) | numbers)[parent]
    is_key &= evidence.key_uniqueness[parent] >= KEY_UNIQUENESS
    is_key &= ~traits.leads[parent] & ~traits.called[parent] & (traits.quantity[parent] == 0)
    own = is_key * (1 - best_telling_of(evidence, parent, pairs.block.vetoes, in_larger=True))
    lacking = np.where(evidence.uniqueness[child] < KEY_UNIQUENESS, 1, 1 - pairs.block.containment_right)
    named = traits.identifies[parent] | (pairs.named_after > 0) | pairs.same_code
    distinct = evidence.distinct[child]
    return np.asarray(pairs.inclusion * own * named * lacking * np.maximum(distinct - 1, 0) / (distinct + 1))


def _attribute(pairs: Pairs) -> AnyArray:
    """The names agree, but the parent neither leads its table nor holds codes nor is named like what identifies, and
    the child is not named after its table: two tables may have an address."""
    traits, parent = pairs.traits, pairs.parent
    told = traits.identifies[parent] | _leads(pairs, parent) | (pairs.named_after > 0) | pairs.same_code
    return np.asarray(pairs.agree & ~told & ~pairs.block.unknown)


def _child_leads(pairs: Pairs) -> AnyArray:
    return np.asarray(pairs.evidence.uniqueness[pairs.child] * _leads(pairs, pairs.child))


def _named_after_other(pairs: Pairs) -> Vectors:
    traits, child = pairs.traits, pairs.child
    is_parent = traits.other_table[child] == pairs.evidence.standing_tables[pairs.evidence.table[pairs.parent]]
    return np.where(is_parent, traits.next_name[child], traits.other_name[child])


def _other_length(pairs: Pairs) -> Flags:
    child, parent = (pairs.evidence.length[column] for column in (pairs.child, pairs.parent))
    return np.asarray((child != 0) & (parent != 0) & (child != parent))


def _by_name_alone(pairs: Pairs) -> Vectors:
    block = pairs.block
    alike = np.maximum(np.maximum(block.header_similarity, block.name_ends_right), block.named_after_right)
    return np.asarray(block.by_name_right * (1 - alike), dtype=np.float32)


# fmt: off
_TABLE = (
    Feature("inclusion", 1, lambda pairs: pairs.inclusion,
            "share of the child's values, or of its rows, that the parent has"),
    Feature("telling_inclusion", 1, _telling_inclusion,
            "the same, but 0 where the parent counts 1, 2, 3, ... or in steps: all such columns hold the same few"),
    Feature("narrow_low", -1, _narrow_low,
            "the child's integers stand at the low end of the parent's range, and span less of it than as many rows "
            "drawn at random would; 0 where it names somebody among people"),
    Feature("constant", -1, _constant,
            "the child has one value and no name that suggests the reference"),
    Feature("outdone", -1, _outdone,
            "how much more of the child's values another key of its database has that does not count 1, 2, 3, ..."),
    Feature("backward", -1, _backward,
            "how much more of the parent's values the child has than the reverse, times the child's uniqueness"),
    Feature("namesake", -1, _namesake,
            "another column of the parent's table has the child's name, and as many of its values"),
    Feature("nameless_counted", -1, _nameless_counted,
            "inclusion in a parent that counts 1, 2, 3, ... where no name suggests the reference"),
    Feature("quantity", -1, lambda pairs: pairs.measures,
            "the child is named like a quantity, and the parent is no list of such: a unit price is no unit"),
    Feature("other_sorts", -1, lambda pairs: pairs.of_other_sorts,
            "the child tells sorts of one thing, and the parent those of another: a waste type code is no type code of "
            "building_type"),
    Feature("nameless_loss", -1, _nameless_loss,
            "share of the child's values that the parent does not have, where no name suggests the reference"),
    Feature("parent_uniqueness", 1, lambda pairs: pairs.evidence.key_uniqueness[pairs.parent],
            "distinct values of the parent by its rows; by those with a value where its name says that it identifies"),
    Feature("parent_leads", 1, _parent_leads,
            "the parent's uniqueness where it leads its table, else 0: where it is the first of the most unique "
            "columns, or, without values, the first whose name is not shared by most tables, or the key by its name"),
    Feature("parent_first", 1, _parent_first,
            "the parent is the first column of its table, or, without values, the first whose name is not shared by "
            "most tables, or the key by its name"),
    Feature("natural_key", 1, _natural_key,
            "inclusion in a key of its own that does not lead its table, as a login beside a number, times "
            "(d - 1) / (d + 1), d the child's distinct values; 0 where no name tells a key, as between two addresses",
            "values"),
    Feature("random_id", 1, lambda pairs: pairs.in_random_key,
            "inclusion in a key of identifiers drawn at random, as hashes and UUIDs are: none is elsewhere by chance",
            "values"),
    Feature("attribute", -1, _attribute,
            "the names agree, but the parent neither leads its table nor holds codes nor is named like what "
            "identifies, and the child is not named after its table: two tables may have an address"),
    Feature("parent_nulls", -1, lambda pairs: pairs.evidence.nulls[pairs.parent] > 0,
            "the parent has missing values"),
    Feature("child_leads", -1, _child_leads,
            "the child's uniqueness where it leads its table, as in `parent_leads`, else 0"),
    Feature("child_width", -1, lambda pairs: pairs.traits.width[pairs.child],
            "decimal logarithm of the columns of the child's table, at most 1: most of many refer to nothing"),
    Feature("same_kind", 1, lambda pairs: pairs.block.same_kind,
            "both hold numbers, both text, or both dates and times"),
    Feature("header_similarity", 1, lambda pairs: pairs.block.header_similarity,
            "cosine of the letter trigrams of the two names, with or without the prefixes of their tables"),
    Feature("name_ends", 1, lambda pairs: pairs.block.name_ends_right,
            "the child's name is the parent's, or ends with it; a generic one counts with that of its table"),
    Feature("named_after_parent", 1, lambda pairs: pairs.named_after,
            "share of the words of the parent table's name in the child's name, abbreviated or not; 1 for a name that "
            "says what somebody does, or names a person, where the parent's table holds such people"),
    Feature("named_after_other", -1, _named_after_other,
            "the greatest such share among the other tables of the child's database"),
    Feature("by_name", 1, lambda pairs: pairs.block.by_name_right,
            "the chance of the kind of name that says so", "schema"),
    Feature("by_name_alone", 1, _by_name_alone,
            "this chance times 1 less the greatest of `header_similarity`, `name_ends` and `named_after_parent`, as of "
            "words that repeat neither the parent's name nor its table's: an approver among employees", "schema"),
    Feature("other_length", -1, _other_length,
            "both have lengths by their declared types, and not the same: the name of a country is no code", "schema"),
    Feature("parent_named", 1, lambda pairs: pairs.evidence.named.is_key[pairs.parent],
            "by its name the parent is the key of its table", "schema"),
    Feature("parent_shared", -1, lambda pairs: pairs.evidence.named.shared[pairs.parent],
            "half the decimal logarithm of how many tables of the database have a column of its name", "schema"),
)
# fmt: on
FEATURES: dict[str, Feature] = {feature.name: feature for feature in _TABLE}
"""The features by name, in the order of the columns of `features`. A new one is a row; then the weights are fitted."""
OF_NAMES = [
    list(FEATURES).index(name) for name in ("header_similarity", "name_ends", "named_after_parent", "named_after_other")
]
"""Columns of the features that names alone determine."""
