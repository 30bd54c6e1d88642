"""Evidence on candidates: each feature against a naive loop, whatever the order, and where little is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import combinations
from math import exp, log, log1p, prod, sqrt

import numpy as np
import pytest

from jar.arrays import Array, IntArray
from jar.learned.candidates_seen import Candidates, best_columns
from jar.learned.evidence import FAMILIES, FEATURES, LINKED, NEAR, SHARP, WARM, evidence
from jar.learned.judgement import judge
from jar.learned.relevance_model import shipped_model
from jar.learned.sole_bridges import ENDS
from jar.learned.stacking import STACKED, stacked
from jar.learned.standardising import EQUAL, FAR, mean_and_spread, standard, standard_rows

SEEDS = range(8)


def candidates(seed: int, n: int = 9, m: int = 3, words: int = 4, values: int = 3) -> Candidates:
    """Candidates of three databases drawn at random, the last one without columns."""
    rng = np.random.default_rng(seed)
    columns = np.append(rng.integers(1, 6, n - 1), 0)
    joins = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    joins = np.maximum(joins, joins.T)
    np.fill_diagonal(joins, 0.0)
    refers = joins * (rng.random((n, n)) < 0.5)
    has = rng.random((words, n)) < 0.4
    has[:, 0] = True
    told = rng.random((values, n)) < 0.3
    told[:, 1] = True
    return Candidates(
        coarse=rng.normal(size=n),
        text=rng.normal(size=n),
        name=rng.normal(size=n),
        columns=columns,
        breadth=columns,
        asked=rng.normal(size=columns.sum()),
        fine=rng.normal(size=(m, columns.sum())),
        words=rng.random((words, n)) * has,
        heads=(has & (rng.random((words, n)) < 0.5)).astype(float),
        named=rng.random(n),
        meant=rng.random(n),
        values=rng.choice([0.5, 1.0], (values, 1)) * told,
        within=0.5 * told[::-1],
        near=rng.random((m + 1, n)) * (rng.random(n) < 0.6),
        databases=rng.permutation([3, 7, 11, *rng.choice([3, 7, 11], n - 3)]),
        joins=joins,
        refers=refers,
        answers=refers * rng.random((n, n)),
        people=np.select([(u := rng.random(n)) < 0.15, u < 0.3], [1.0, 0.5], 0.0),
        together=np.full(n, -1),
        length=words + 2,
    )


def z(x: list[float]) -> list[float]:
    """Standard deviations from the mean, cut."""
    mean = sum(x) / len(x)
    spread = sqrt(sum((one - mean) ** 2 for one in x) / len(x))
    return [max(-FAR, min(FAR, (one - mean) / spread)) if spread > 1e-9 else 0.0 for one in x]


def ahead(x: list[float]) -> list[float]:
    """Standard deviations above the best of the others, cut."""
    mean = sum(x) / len(x)
    spread = sqrt(sum((one - mean) ** 2 for one in x) / len(x))
    others = [max(x[:item] + x[item + 1 :]) for item in range(len(x))]
    return [max(-FAR, min(FAR, (one - other) / spread)) for one, other in zip(x, others, strict=True)]


def table_columns(seen: Candidates, item: int) -> range:
    start = int(seen.columns[:item].sum())
    return range(start, start + int(seen.columns[item]))


def best_column(seen: Candidates, scores: list[float]) -> list[float]:
    return [max((scores[c] for c in table_columns(seen, item)), default=min(scores)) for item in range(seen.n)]


def parts(seen: Candidates) -> list[list[float]]:
    return [best_column(seen, row.tolist()) for row in seen.fine]


def part_shares(seen: Candidates) -> list[list[float]]:
    shares = []
    for row in map(z, parts(seen)):
        powers = [exp(SHARP * one) for one in row]
        shares.append([power / sum(powers) for power in powers])
    return shares


def same(seen: Candidates, item: int, *, other: bool = False) -> list[int]:
    return [
        place
        for place in range(seen.n)
        if seen.databases[place] == seen.databases[item] and not (other and place == item)
    ]


def word_sums(seen: Candidates) -> list[float]:
    return [float(sum(row[item] for row in seen.words)) for item in range(seen.n)]


def several_columns(seen: Candidates) -> list[float]:
    standard = z(seen.asked.tolist())
    return z([log(sum(exp(SHARP * standard[c]) for c in table_columns(seen, i)) + 1e-2) for i in range(seen.n)])


def covered(seen: Candidates) -> list[float]:
    rarity = [log1p(seen.n / max(sum(row > 0), 1)) for row in seen.words]
    whole = sum(rarity) + log1p(seen.n) * (seen.length - len(rarity))
    return [sum(r for r, row in zip(rarity, seen.words, strict=True) if row[i] > 0) / whole for i in range(seen.n)]


def value_sum(seen: Candidates, item: int, values: Array) -> float:
    total = 0.0
    for row in values:
        count = sum(row[place] > 0 for place in same(seen, item))
        total += row[item] / sqrt(max(count, 1))
    return min(total, 2.0)


def value_near(seen: Candidates) -> list[float]:
    best = [max(row[item] for row in seen.near) for item in range(seen.n)]
    told = iter(z([one for one in best if one > 0]))
    return [next(told) if one > 0 else 0.0 for one in best]


def value_meant(seen: Candidates, item: int) -> float:
    missed = 1.0
    for row in seen.near:
        powers = {place: exp(near / WARM) for place, near in enumerate(row) if near > 0}
        if row[item] > NEAR:
            missed *= 1 - powers[item] / sum(powers.values())
    return 1 - missed


def database_best(seen: Candidates, item: int) -> float:
    return float(max(seen.coarse[place] for place in same(seen, item)))


def database_ahead(seen: Candidates) -> list[float]:
    best = {int(seen.databases[item]): database_best(seen, item) for item in range(seen.n)}
    spread = float(np.std(seen.coarse))
    others = {kind: max(value for other, value in best.items() if other != kind) for kind in best}
    return [max(-FAR, min(FAR, (best[kind] - others[kind]) / spread)) for kind in seen.databases.tolist()]


def database_relevance(seen: Candidates) -> list[float]:
    powers = [exp(SHARP * one) for one in z(seen.coarse.tolist())]
    return [sum(powers[place] for place in same(seen, item)) / sum(powers) - 1 for item in range(seen.n)]


def database_value_lead(seen: Candidates) -> list[float]:
    total = [sum(max(row[place] for place in same(seen, item)) for row in seen.values) for item in range(seen.n)]
    return [max(-2.0, one - max(total)) for one in total]


def gains_joined(seen: Candidates, place: int) -> list[float]:
    least, best = min(seen.coarse), max(seen.coarse)
    gains = [(one - least) / (best - least) for one in seen.coarse]
    return [sorted((seen.joins[i, j] * gains[j] for j in range(seen.n)), reverse=True)[place] for i in range(seen.n)]


def joins_best(seen: Candidates, item: int) -> float:
    others = same(seen, item, other=True)
    best = max(others, key=lambda place: seen.coarse[place], default=None)
    return 0.0 if best is None else float(seen.joins[item, best] >= LINKED)


def every(of: Callable[[Candidates, int], float]) -> Callable[[Candidates], list[float]]:
    return lambda seen: [of(seen, item) for item in range(seen.n)]


NAIVE: dict[str, Callable[[Candidates], list[float]]] = {
    "relevance": lambda seen: z(seen.coarse.tolist()),
    "relevance_lead": lambda seen: ahead(seen.coarse.tolist()),
    "rank": every(lambda seen, item: -log1p(sum(other > seen.coarse[item] for other in seen.coarse))),
    "text": lambda seen: z(seen.text.tolist()),
    "text_lead": lambda seen: ahead(seen.text.tolist()),
    "name": lambda seen: z(seen.name.tolist()),
    "name_lead": lambda seen: ahead(seen.name.tolist()),
    "column_best": lambda seen: z(best_column(seen, seen.asked.tolist())),
    "column_lead": lambda seen: ahead(best_column(seen, seen.asked.tolist())),
    "column_sum": several_columns,
    "part_mean": every(lambda seen, item: sum(z(row)[item] for row in parts(seen)) / len(seen.fine)),
    "part_best": every(lambda seen, item: max(z(row)[item] for row in parts(seen))),
    "part_share": every(lambda seen, item: sum(row[item] for row in part_shares(seen)) / len(seen.fine)),
    "part_only": every(lambda seen, item: max(row[item] for row in part_shares(seen))),
    "parts_won": every(lambda seen, item: sum(row[item] == max(row) for row in parts(seen)) / len(seen.fine)),
    "meant": lambda seen: seen.meant.tolist(),
    "words": lambda seen: [one / max(word_sums(seen)) for one in word_sums(seen)],
    "words_lead": lambda seen: ahead(word_sums(seen)),
    "word_share": every(lambda seen, item: sum(row[item] / sum(row) for row in seen.words) / len(seen.words)),
    "words_covered": covered,
    "words_headed": every(lambda seen, i: min(sum(row[i] / max(sum(row), 1) for row in seen.heads), 2.0)),
    "named": lambda seen: seen.named.tolist(),
    "named_lead": lambda seen: ahead(seen.named.tolist()),
    "values": every(lambda seen, item: value_sum(seen, item, seen.values)),
    "values_within": every(lambda seen, item: value_sum(seen, item, seen.within)),
    "values_alone": every(lambda seen, i: min(sum(row[i] for row in seen.values if sum(row > 0) == 1), 2.0)),
    "value_near": value_near,
    "value_meant": every(value_meant),
    "values_elsewhere": every(
        lambda seen, i: float(not any(seen.values[:, i]) and any(seen.values[:, j].any() for j in same(seen, i)))
    ),
    "database_lead": database_ahead,
    "database_share": database_relevance,
    "database_words": every(
        lambda seen, i: sum(any(row[j] > 0 for j in same(seen, i)) for row in seen.words) / len(seen.words) - 1
    ),
    "database_values": database_value_lead,
    "behind_own": every(lambda seen, i: max(-FAR, (seen.coarse[i] - database_best(seen, i)) / np.std(seen.coarse))),
    "join_gain": lambda seen: gains_joined(seen, 0),
    "join_second": lambda seen: gains_joined(seen, 1),
    "joins": every(lambda seen, item: log1p(sum(seen.joins[item] >= LINKED))),
    "joins_best": every(joins_best),
    "referred": every(lambda seen, item: max(seen.answers[item])),
    "people": lambda seen: seen.people.tolist(),
    "people_joined": every(lambda seen, item: seen.people[item] * gains_joined(seen, 0)[item]),
    "width": lambda seen: z([log1p(count) for count in seen.columns]),
    "parts": every(lambda seen, _: log1p(len(seen.fine))),
    "length": every(lambda seen, _: log1p(seen.length)),
    "pool": every(lambda seen, _: log(seen.n)),
    "certainty": every(lambda seen, _: max(ahead(seen.coarse.tolist()))),
}


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_is_what_a_loop_finds(name: str) -> None:
    """Arrays and loops agree on random candidates."""
    for seed in SEEDS:
        seen = candidates(seed)
        np.testing.assert_allclose(FEATURES[name].of(seen), NAIVE[name](seen), atol=1e-9, err_msg=f"seed {seed}")


def test_every_feature_is_told_and_of_a_family() -> None:
    """No two say one thing; a feature that counts for a table says why in words, unless it is equal for all of them."""
    told = [feature.reason for feature in FEATURES.values() if feature.reason]
    assert len(set(told)) == len(told)
    assert all(feature.meaning for feature in FEATURES.values())
    assert {feature.family for feature in FEATURES.values()} == set(FAMILIES)
    silent = {name for name, feature in FEATURES.items() if not feature.reason}
    assert silent == {name for name, feature in FEATURES.items() if feature.family == "question"} | {"values_elsewhere"}


def taken(seen: Candidates, order: IntArray) -> Candidates:
    """Some candidates, or all in another order."""
    first = np.concatenate([[0], np.cumsum(seen.columns)])
    places = [np.arange(first[item], first[item + 1]) for item in order.tolist()]
    columns = np.concatenate([np.zeros(0, dtype=np.int64), *places]).astype(np.int64)
    values = {field.name: getattr(seen, field.name) for field in fields(seen)}
    for name in ("coarse", "text", "name", "columns", "breadth", "named", "meant", "databases", "people"):
        values[name] = values[name][order]
    for name in ("words", "heads", "values", "within", "near"):
        values[name] = values[name][:, order]
    for name in ("joins", "refers", "answers"):
        values[name] = values[name][np.ix_(order, order)]
    return Candidates(**values | {"asked": seen.asked[columns], "fine": seen.fine[:, columns]})


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_the_candidates_does_not_matter(seed: int) -> None:
    """Permuted candidates have permuted features, in both stages."""
    seen = candidates(seed)
    order = np.random.default_rng(seed).permutation(seen.n)
    odds = np.random.default_rng(seed + 100).normal(size=seen.n)
    np.testing.assert_allclose(evidence(taken(seen, order)), evidence(seen)[order], atol=1e-12)
    np.testing.assert_allclose(stacked(taken(seen, order), odds[order]), stacked(seen, odds)[order], atol=1e-12)


def test_scales_of_scores_do_not_matter() -> None:
    """Cosines of an embedder that spreads them twice as far, and moves them, are the same evidence."""
    seen = candidates(0)
    names = ("coarse", "text", "name", "asked", "fine")
    moved = replace(seen, **{name: 2 * getattr(seen, name) + 5 for name in names})
    np.testing.assert_allclose(evidence(moved), evidence(seen), atol=1e-6)


def nothing_known(n: int) -> Candidates:
    """Tables of one database without columns, rows, joins or shared words, for a question without parts."""
    none = np.zeros((0, n))
    zeros = np.zeros(n)
    columns = np.zeros(n, dtype=np.int64)
    return Candidates(
        *(zeros, zeros, zeros, columns, columns, np.zeros(0), np.zeros((0, 0))),
        *(none, none, zeros, zeros, none, none, none, columns, *np.zeros((3, n, n)), zeros, columns - 1, 0),
    )


@pytest.mark.parametrize("n", [1, 2, 20])
def test_where_nothing_is_known_nothing_is_told_apart(n: int) -> None:
    """All candidates have the same finite features; so has a single one, with which everything is known."""
    x = evidence(nothing_known(n))
    assert x.shape == (n, len(FEATURES))
    assert np.isfinite(x).all()
    assert (x == x[0]).all()
    single = taken(candidates(1), np.array([1]))
    assert np.isfinite(evidence(single)).all()
    assert np.isfinite(stacked(single, np.zeros(1))).all()


def alone(seen: Candidates, p: list[float], i: int) -> float:
    """The greatest probability that two needed tables join by the i-th alone, by its definition."""
    ends = sorted(range(seen.n), key=lambda j: -p[j])[:ENDS]
    best = 0.0
    for a, b in combinations(ends, 2):
        if i in (a, b) or seen.databases[a] != seen.databases[b]:
            continue
        to_a, to_b, from_a, from_b = seen.refers[a, i], seen.refers[b, i], seen.refers[i, a], seen.refers[i, b]
        others = prod(1 - p[j] * seen.joins[a, j] * seen.joins[b, j] for j in range(seen.n) if j not in (a, b, i))
        way = max(to_a * to_b, to_a * from_b, from_a * to_b)
        best = max(best, p[a] * p[b] * (1 - seen.joins[a, b]) * way * others)
    return best


@pytest.mark.parametrize("seed", SEEDS)
def test_stacked_features_are_what_loops_find(seed: int) -> None:
    """What the first stage makes of joined tables and of those of the same database."""
    seen = candidates(seed)
    odds = np.random.default_rng(seed).normal(size=seen.n)
    p = [1 / (1 + exp(-one)) for one in odds]
    joined = [sorted((seen.joins[i, j] * p[j] for j in range(seen.n)), reverse=True) for i in range(seen.n)]
    naive = {
        "odds": odds.tolist(),
        "odds_lead": ahead(odds.tolist()),
        "neighbour": [row[0] for row in joined],
        "neighbour_second": [row[1] for row in joined],
        "referring": [log1p(sum(seen.refers[i, j] * p[j] for j in range(seen.n))) for i in range(seen.n)],
        "bridge": [sorted(seen.refers[j, i] * p[j] for j in range(seen.n))[-2] for i in range(seen.n)],
        "connecting": [alone(seen, p, i) for i in range(seen.n)],
        "database_best": [max((p[j] for j in same(seen, i, other=True)), default=0.0) for i in range(seen.n)],
        "database_odds": [sum(p[j] for j in same(seen, i)) / sum(p) - 1 for i in range(seen.n)],
        "others": [log1p(sum(p) - p[i]) for i in range(seen.n)],
    }
    for place, name in enumerate(STACKED):
        np.testing.assert_allclose(stacked(seen, odds)[:, place], naive[name], atol=1e-9, err_msg=name)


def test_tables_without_columns_have_the_least_relevance() -> None:
    """The best column of each, for several rows of scores at once."""
    scores = np.array([[1.0, 3.0, 2.0], [0.0, -1.0, 5.0]])
    assert best_columns(scores, np.array([2, 0, 1])).tolist() == [[3.0, 1.0, 2.0], [0.0, -1.0, 5.0]]
    assert best_columns(np.zeros((2, 0)), np.array([0, 0])).tolist() == [[0.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("numbers", [[], [2.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0], [1e9, 1e9 + 1, -5.0, 0.25]])
def test_standard_deviations_are_those_of_numpy_to_the_last_bit(numbers: list[float]) -> None:
    """And so for random numbers; none and equal ones stand apart by nothing."""
    drawn = np.random.default_rng(5).normal(size=(40, 27))
    for x in (np.array(numbers), *drawn):
        mean, spread = mean_and_spread(x)
        assert (mean, spread) == ((x.mean(), x.std()) if len(x) else (0.0, 0.0))
        apart = np.clip((x - mean) / spread, -FAR, FAR) if spread > EQUAL else np.zeros(len(x))
        assert standard(x).tolist() == apart.tolist()
    np.testing.assert_array_equal(standard_rows(drawn), [standard(row) for row in drawn])


def test_the_reasons_of_some_candidates_are_those_among_all() -> None:
    """Whatever is left out: a candidate is compared with all."""
    seen, model = candidates(3), shipped_model()
    judged = judge(model, seen)
    whole = model.reasons(seen)
    assert judged.reasons(range(seen.n)) == whole
    assert judged.reasons([4, 0, 7]) == [whole[4], whole[0], whole[7]]
    assert len(set(whole)) > 1
