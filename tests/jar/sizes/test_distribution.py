"""Probabilities of sets, and what is expected of an answer, beside an oracle that goes through all sets in loops."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise

import networkx
import numpy as np
import pytest

from jar.learned.candidates_seen import Candidates
from jar.learned.width import unknown_share
from jar.sizes.candidate_sets import LARGEST, candidate_sets
from jar.sizes.distribution import SetDistribution
from jar.sizes.set_model import SetModel, load_set_model
from tests.jar.sizes.made_candidates import made_candidates, made_model, made_odds

SEEDS = range(8)


def oracle(seed: int, required: tuple[int, ...] = (), n: int = 7) -> dict[tuple[int, ...], float]:
    """The probability of each set, by equations (1) to (5) in loops; "beyond" has the key (-1,)."""
    seen, model = made_candidates(seed, n), made_model(seed)
    known = sum(any(weight > 0 for weight in row) for row in [*seen.words.tolist(), *seen.values.tolist()])
    who = 1.0 in seen.people.tolist()
    unknown = max(1 - (known + who) / (seen.length + who), 0)
    log_odds = made_odds(seed, n)
    odds = [-0.3 + 0.5 * unknown + (0.8 - 0.6 * unknown) * told for told in log_odds.tolist()]
    first = np.concatenate([[0], np.cumsum(seen.columns)]).tolist()
    fine = [[max(row[start:end], default=min(row)) for start, end in pairwise(first)] for row in seen.fine.tolist()]
    m = len(fine)
    scores = {}
    for k in range(1, max(6, len(required) + 2) + 1):
        for items in combinations(range(n), k):
            if not set(required) <= set(items):
                continue
            graph = networkx.Graph()
            graph.add_nodes_from(items)
            graph.add_weighted_edges_from(
                (i, j, seen.joins[i, j]) for i, j in combinations(items, 2) if seen.joins[i, j] > 0
            )
            parts = networkx.number_connected_components(graph)
            forest = networkx.maximum_spanning_tree(graph).size("weight")
            short = [max(row) - max(row[i] for i in items) for row in fine]
            beyond = max(k - 4, 0)
            terms = [
                forest, parts - 1, len({int(seen.databases[i]) for i in items}) - 1, sum(short) / m, max(short),
                k * (m - 4) / 4, k == 2, (k == 3) - beyond, (k >= 4) + beyond, *named_terms(seen, items, odds, fine),
                gaps(seen, items), bridges(seen, items), nobody(seen, items),
            ]  # fmt: skip
            scores[items] = sum(odds[i] for i in items) + float(np.dot(terms, model.sets))
    if not required:
        values = max(sum(column) for column in seen.values.T.tolist())
        words = max(sum(weight > 0 for weight in column) for column in seen.words.T.tolist()) / seen.length
        likeliest = min(log_odds.max(), 5.0)
        scores[()] = float(np.dot([1.0, seen.text.max(), values, words, 2, likeliest, unknown], model.nothing))
    total = sum(map(math.exp, scores.values()))
    expected = sum(sorted(1 / (1 + math.exp(-o)) for o in odds)[: n - 6])
    constant, slope, of_unknown, of_greatest = model.beyond.tolist()
    told = constant + of_unknown * unknown + of_greatest * min(log_odds.max(), 5.0)
    outside = 1 / (1 + math.exp(-told - slope * math.log(0.001 + expected)))
    more = 1.0 if n > max(6, len(required) + 2) else 0.0
    for size in range(max(len(required), 1), max(6, len(required) + 2) + 1):
        more /= 1 + math.exp(1.0 - 1.5 * math.log(1 + m) + 0.6 * size - 0.4 * unknown)
    beyond = 1 - (1 - outside) * (1 - more)
    chances = {items: math.exp(score) / total for items, score in scores.items()}
    nothing = chances.get((), 0.0)
    chances = {items: chance * (1 - beyond if items else 1) for items, chance in chances.items()}
    return {**chances, (-1,): beyond * (1 - nothing)}


def named_terms(seen: Candidates, items: tuple[int, ...], odds: list[float], fine: list[list[float]]) -> list[float]:
    """What a set lacks of the words and values of the question, and how many of its tables add nothing; of those that
    answer a sub-query equally well the likeliest adds it."""
    words, values = ([row for row in rows.tolist() if max(row) > 0] for rows in (seen.words, seen.values))
    unsaid = sum(sum(w > 0 for w in row) ** -0.5 for row in words if not any(row[i] > 0 for i in items))
    missed = sum(max(row) for row in values if not any(row[i] > 0 for i in items))
    alone = {i for i in items for row in [*words, *values] if [j for j in items if row[j] > 0] == [i]}
    best = {max(items, key=lambda i: (row[i], odds[i])) for row in fine}
    between = {i for i in items if sum(seen.joins[i, j] >= 0.3 for j in items) > 1}
    return [unsaid, missed, len(set(items) - alone - best - between)]


def gaps(seen: Candidates, items: tuple[int, ...]) -> int:
    """How many components fewer a set would have if all candidates were in it."""
    graph = networkx.from_numpy_array(seen.joins >= 0.3)
    whole = [part for part in networkx.connected_components(graph) if part & set(items)]
    return networkx.number_connected_components(graph.subgraph(items)) - len(whole)


def bridges(seen: Candidates, items: tuple[int, ...]) -> int:
    """How many tables of a set its connectedness hangs on of which the question names nothing."""
    graph = networkx.from_numpy_array(seen.joins >= 0.3).subgraph(items)
    named = {i for i in items if seen.words[:, i].any() or seen.values[:, i].any()}
    return len(set(networkx.articulation_points(graph)) - named)


def nobody(seen: Candidates, items: tuple[int, ...]) -> float:
    """What a set tells less of people than the candidates do."""
    return max(seen.people.tolist()) - max(seen.people[i] for i in items)


def distribution_of(
    seed: int, required: tuple[int, ...] = (), *, connected: bool = False, n: int = 7
) -> SetDistribution:
    found = made_model(seed).distribution(made_candidates(seed, n), made_odds(seed, n), required, connected=connected)
    assert found is not None
    return found


@pytest.mark.parametrize("required", [(), (2,), (0, 3), (0, 1, 2, 3, 4)])
@pytest.mark.parametrize("seed", SEEDS)
def test_probabilities_are_those_of_the_equations(seed: int, required: tuple[int, ...]) -> None:
    """Every set has the probability of equations (1) to (5), and with what is beyond them they sum to 1."""
    found, wanted = distribution_of(seed, required), oracle(seed, required)
    chances = {found.items(row): chance for row, chance in enumerate(found.probability.tolist())}
    assert chances == pytest.approx({items: chance for items, chance in wanted.items() if items != (-1,)})
    assert found.beyond == pytest.approx(wanted[(-1,)])
    assert sum(chances.values()) + found.beyond == pytest.approx(1)
    assert all(set(required) <= set(items) for items in chances)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_logged_questions_add_counts_in_full(seed: int) -> None:
    """Whatever the relevance model counts: a set is so many times as likely as the sum over its tables says."""
    seen, odds, model = made_candidates(seed), made_odds(seed), made_model(seed)
    logged = np.random.default_rng(seed).normal(size=seen.n)
    without, found = model.distribution(seen, odds), model.distribution(seen, odds + logged, logged=logged)
    assert without is not None
    assert found is not None
    chances = {found.items(row): chance for row, chance in enumerate(found.probability.tolist())}
    ratios = [
        chances[items] / chance / math.exp(logged[list(items)].sum())
        for row, chance in enumerate(without.probability.tolist())
        if (items := without.items(row))
    ]
    assert ratios == pytest.approx([ratios[0]] * len(ratios))


@pytest.mark.parametrize("seed", SEEDS)
def test_connected_sets_alone_are_possible_where_they_must_be(seed: int) -> None:
    """What has several components may not be chosen, and no alternative is; it is as likely needed as anywhere."""
    found, free = distribution_of(seed, connected=True), distribution_of(seed)
    np.testing.assert_array_equal(found.probability, free.probability)
    assert free.possible.all()
    graph = networkx.from_numpy_array(made_candidates(seed).joins > 0)
    sets = [found.items(row) for row in range(len(found.sets))]
    connected = [not items or networkx.is_connected(graph.subgraph(items)) for items in sets]
    assert found.possible.tolist() == connected
    told = [items for items, _ in found.likeliest(len(found.sets))]
    assert len(told) == sum(connected)
    assert all(found.possible[row] for row in range(len(found.sets)) if found.items(row) in told)


@pytest.mark.parametrize("seed", SEEDS)
def test_expected_f1_is_that_of_all_sets(seed: int) -> None:
    """The F1 of an answer is averaged over all sets that may be right."""
    found, chances = distribution_of(seed), oracle(seed)
    del chances[(-1,)]
    for row, expected in enumerate(found.expected_f1().tolist()):
        answer = set(found.items(row))
        f1 = sum(
            chance * (2 * len(answer & set(items)) / (len(answer) + len(items)) if answer or items else 1.0)
            for items, chance in chances.items()
        )
        assert expected == pytest.approx(f1)


@pytest.mark.parametrize("seed", SEEDS)
def test_shares_add_up_to_the_expected_recall(seed: int) -> None:
    """The recall of any answer, if something fits and the sets hold it, is the sum of the shares of its tables."""
    found, chances = distribution_of(seed), oracle(seed)
    beyond, nothing = chances.pop((-1,)), chances.pop(())
    shares, presence = found.shares(), found.presence / found.presence.sum()
    assert shares.sum() == pytest.approx(1)
    for answer in ((0,), (1, 4), (0, 2, 3, 5, 6)):
        recall = sum(chance * len(set(answer) & set(items)) / len(items) for items, chance in chances.items())
        recall += beyond * presence[list(answer)].sum()
        assert shares[list(answer)].sum() == pytest.approx(recall / (1 - nothing))


@pytest.mark.parametrize("seed", SEEDS)
def test_confidence_is_the_probability_of_all_sets_inside(seed: int) -> None:
    """The confidence in an answer is that of its subsets; it grows with the answer; of no table it is that of none.

    From seven tables on, what lies beyond the sets counts by equation (6).
    """
    found, chances = distribution_of(seed, n=8), oracle(seed, n=8)
    assert found.confidence(()) == pytest.approx(chances.pop(()))
    grown = 0.0
    for size in range(1, 9):
        inside = sum(chance for items, chance in chances.items() if set(items) <= set(range(size)) and items != (-1,))
        if size > 6:
            missing = sum(found.presence.tolist()[size:]) / sum(found.presence.tolist())
            inside += chances[(-1,)] / (1 + math.exp(0.5 + 0.8 * missing))
        assert found.confidence(range(size)) == pytest.approx(inside)
        assert found.confidence(range(size)) >= grown
        grown = found.confidence(range(size))


def test_the_likeliest_sets_come_first_and_once() -> None:
    """Alternatives are in order of their probability, and what was chosen is not among them."""
    found = distribution_of(1)
    first = found.likeliest(4)
    assert first[0][1] == pytest.approx(found.probability.max())
    assert [chance for _, chance in first] == sorted((chance for _, chance in first), reverse=True)
    assert found.likeliest(3, without=[first[0][0]]) == first[1:]


def test_sets_of_the_pool_are_all_small_ones() -> None:
    """Of ten tables there are 848 sets of at most six, the empty one first, each once."""
    sets = candidate_sets(10)
    assert len(sets) == 848 == sum(math.comb(10, k) for k in range(LARGEST + 1))
    assert len({tuple(row) for row in sets.member.tolist()}) == len(sets)
    assert sets.size[0] == 0
    assert sets.f1[0, 0] == 1


def test_the_model_of_the_package_reads_its_terms_by_name() -> None:
    """The data file fits this version, and a file with other terms is refused."""
    constant, scale, unknown, less = load_set_model().tables
    constant, scale = constant + 0.5 * unknown, scale + 0.5 * less
    assert load_set_model().odds(np.array([1.0, -2.0]), 0.5) == pytest.approx([constant + scale, constant - 2 * scale])
    document = {"version": 7, "tables": {"constant": 0.0}, "sets": {}, "nothing": {}, "beyond": {}, "more": {}}
    with pytest.raises(ValueError, match="fit it again"):
        SetModel.of(document)
    with pytest.raises(ValueError, match="version 1"):
        SetModel.of(document | {"version": 1})


@pytest.mark.parametrize("declared", [[], [(0, 1)], [(0, 1), (2, 3)], "all"])
def test_weights_follow_the_share_of_tables_that_a_declared_key_joins(declared: list[tuple[int, int]] | str) -> None:
    """Equation (7) by hand: those of the one or the other kind where all or no joins are declared; surer rows do not
    count as declared."""
    model, other = made_model(1), made_model(2)
    both, odds = replace(model, undeclared=other), made_odds(3)
    seen = made_candidates(3)
    joins = seen.joins.clip(0.0, 0.999)
    joins[0, 1] = joins[1, 0] = joins[2, 3] = joins[3, 2] = 0.999
    pairs = np.argwhere(joins >= 0.5).tolist() if declared == "all" else declared
    for one, two in pairs:
        joins[one, two] = joins[two, one] = 1.0
    seen = replace(seen, joins=joins)
    best = [max(row) for row in joins.tolist() if max(row) >= 0.5]
    share = sum(join == 1.0 for join in best) / len(best)
    assert (share > 0) == bool(declared)
    assert (share == 1) == (declared == "all")
    mixed = SetModel(
        *(
            share * getattr(model, name) + (1 - share) * getattr(other, name)
            for name in ("tables", "sets", "nothing", "beyond")
        ),
        model.more,
        model.held,
    )
    found, wanted = (one.distribution(seen, odds) for one in (both, mixed))
    assert found is not None
    assert wanted is not None
    np.testing.assert_allclose(found.probability, wanted.probability, rtol=1e-9)
    assert found.beyond == pytest.approx(wanted.beyond)


def test_more_tables_than_a_set_has_are_likelier_the_more_a_question_asks() -> None:
    """By the model of the package; where there are no more tables, they are not needed."""
    model = load_set_model()
    chances = [model.chance_of_more(subqueries, 0.2, 1, 4) for subqueries in range(13)]
    assert chances == sorted(chances)
    assert chances[3] < 0.01 < chances[12] < 0.5
    assert model.chance_of_more(10, 0.2, 3, 4) > model.chance_of_more(10, 0.2, 1, 4)
    seen = made_candidates(3, n=4)
    alone = replace(model, more=np.array([-20.0, 0.0, 0.0, 0.0]))
    few, never = (one.distribution(seen, made_odds(3, 4)) for one in (model, alone))
    assert few is not None
    assert never is not None
    assert few.beyond == never.beyond


@pytest.mark.parametrize("n", [1, 2])
def test_one_candidate_is_enough(n: int) -> None:
    """Few candidates without sub-queries have finite terms and probabilities."""
    found = load_set_model().distribution(made_candidates(3, n=n, m=0, databases=1), made_odds(3, n))
    assert found is not None
    assert found.probability.sum() + found.beyond == pytest.approx(1)


def test_the_unknown_share_is_that_of_words_without_names_and_values() -> None:
    """A value counts as one word; words that occur twice make the share no less than none."""
    seen = replace(made_candidates(3), people=np.zeros(made_candidates(3).n))
    some, none = np.ones((1, seen.n)), np.zeros((2, seen.n))
    for words, values, length, share in (
        (np.concatenate([some, none]), none, 4, 0.75),
        (none, np.concatenate([some, some]), 4, 0.5),
        (np.concatenate([some] * 3), some, 3, 0.0),
        (none[:0], none[:0], 0, 1.0),
    ):
        assert unknown_share(replace(seen, words=words, values=values, length=length)) == share
    people = np.arange(seen.n) == 1
    for held, share in ((people, 0.6), (0.5 * people, 0.75)):  # "who" is a word of the tables that hold people
        asked = replace(seen, words=np.concatenate([some, none]), values=none, length=4, people=held * 1.0)
        assert unknown_share(asked) == share
