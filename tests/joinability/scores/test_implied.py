"""References that chains of two others imply: against plain loops, and what is left of their scores."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from joinability import Catalog, JoinEvidence, Verdicts, default_score, edges
from joinability.scores.features import OF_NAMES, features
from joinability.scores.implied import CHANCE, excess
from joinability.scores.odds import LEAST, log_odds, supported
from joinability.scores.rivals_by_table import rivals_of
from joinability.scores.weights import load_weights

EvidenceOf = Callable[[Catalog], JoinEvidence]

PERSONS = range(1, 401)
EMPLOYEES = sorted(np.random.default_rng(1).choice(PERSONS, 60, replace=False).tolist())
SELLERS = sorted(np.random.default_rng(2).choice(EMPLOYEES, 12, replace=False).tolist())


def firm(**more: pd.DataFrame) -> Catalog:
    """Persons, of whom some are employees, of whom some are sellers, with one name of the keys, and their orders."""
    rng = np.random.default_rng(3)
    frames = {
        "person": pd.DataFrame({"person_id": PERSONS, "city": [f"c{i % 37}" for i in PERSONS]}),
        "employee": pd.DataFrame({"person_id": EMPLOYEES, "hired": [f"20{i % 17 + 10}-01-02" for i in EMPLOYEES]}),
        "seller": pd.DataFrame({"person_id": SELLERS, "quota": [i * 1.7 for i in SELLERS]}),
        "sale": pd.DataFrame({"nr": [f"s{i}" for i in range(90)], "person_id": rng.choice(SELLERS, 90)}),
        "call": pd.DataFrame({"nr": [f"c{i}" for i in range(900)], "person_id": rng.choice(PERSONS, 900)}),
    }
    return Catalog.from_frames({f"firm.{name}": frame for name, frame in (frames | more).items()})


def chances(evidence: JoinEvidence, child: int, subtype: int, supertype: int) -> tuple[float, float, float]:
    """How many values of the child the supertype has, the share of them in the subtype, and that share by chance."""
    common = evidence.intersections.toarray()
    x = common[child, supertype]
    return x, min(common[child, subtype] / max(x, 1), 1), common[subtype, supertype] / evidence.distinct[supertype]


def nats(evidence: JoinEvidence, child: int, subtype: int, supertype: int) -> float:
    """The excess by its formula."""
    x, r, q = chances(evidence, child, subtype, supertype)
    if not r > q > 0:
        return 0.0
    outside = (1 - r) * math.log((1 - r) / (1 - q)) if r < 1 else 0.0
    return max(0.0, x * (r * math.log(r / q) + outside) + math.log(CHANCE))


@pytest.mark.parametrize("has_vetoes", [False, True])
def test_chains_take_what_loops_over_all_others_give(evidence_of: EvidenceOf, has_vetoes: bool) -> None:
    """For each pair of columns the implied part is that of the best chain, found one by one."""
    evidence = evidence_of(firm())
    vetoes = Verdicts.of(evidence, vetoed=[("firm.employee", "firm.person")]) if has_vetoes else None
    weights, size = load_weights(), len(evidence)
    odds, names = {}, {}
    for k in range(size):
        for j in range(size):
            pair = evidence.pairs([k], [j])
            if supported(pair)[0] and (vetoes is None or not vetoes.are_vetoed(pair)[0]):
                odds[k, j] = math.exp(log_odds(pair)[0])
                names[k, j] = math.exp((weights.coefficients[0] * features(pair)[0])[OF_NAMES].sum())
    likely = {pair: value for pair, value in odds.items() if value >= LEAST / (1 - LEAST)}
    found = 0
    for k, j in likely:
        best = 0.0
        for (a, b), odds_through in likely.items():
            link, back = odds.get((b, j), 0.0), odds.get((j, b), 0.0)
            if a != k or b == j or evidence.uniqueness[b] < 0.98 or link <= back:
                continue
            over = nats(evidence, k, b, j)
            gain = min(math.exp(over), names[k, j] / names[k, b])
            one_name = evidence.pairs([k], [b]).header_similarity[0] > 0.999
            step = odds_through * max(1.0, gain if one_name else 1.0)
            best = max(best, (1 - math.exp(-over)) * step * min(1, step / likely[k, j]))
        found += best > 0.1
        got = rivals_of(evidence, vetoes).implied(np.array([k]), np.array([j]))[0]
        assert got == pytest.approx(math.log1p(best), rel=1e-4, abs=1e-6)
    assert found > 2 - has_vetoes


def test_excess_is_rarer_than_chance(evidence_of: EvidenceOf) -> None:
    """The probability of so many values in the subtype, by draws from the supertype, is at most that of the excess."""
    evidence = evidence_of(firm())
    person, employee, seller = (
        evidence.ids.index(f"firm.{name}.person_id") for name in ("person", "employee", "seller")
    )
    sale, call = (evidence.ids.index(f"firm.{name}.person_id") for name in ("sale", "call"))
    for child, subtype, supertype in ((seller, employee, person), (sale, seller, employee), (sale, employee, person)):
        over = excess(evidence, *(np.array([column]) for column in (child, subtype, supertype)))[0]
        assert over == pytest.approx(nats(evidence, child, subtype, supertype))
        x, r, q = chances(evidence, child, subtype, supertype)
        assert over > 0
        assert binom.sf(round(r * x) - 1, x, q) <= CHANCE * math.exp(-over) * (1 + 1e-9)
    assert excess(evidence, np.array([call]), np.array([employee]), np.array([person])) == 0


def scores(evidence: JoinEvidence, verdicts: Verdicts | None = None) -> dict[str, float]:
    """The scores of the keys and references to persons, by the names of the two tables in alphabetical order."""
    found = edges(evidence, default_score, verdicts=verdicts).columns()
    return {
        " ".join(sorted((left.split(".")[1], right.split(".")[1]))): float(score)
        for left, right, score in zip(found["left"], found["right"], found["score"], strict=True)
        if left.endswith("person_id") and right.endswith("person_id")
    }


def test_the_nearest_key_wins(evidence_of: EvidenceOf) -> None:
    """Sellers refer to employees and sales to sellers, though their name is that of persons; implied joins stay."""
    score = scores(evidence_of(firm()))
    assert score["employee person"] > 0.5
    assert score["employee seller"] > score["person seller"] > LEAST
    assert score["sale seller"] > score["person sale"] > LEAST
    assert score["call person"] > 0.9


def test_a_vetoed_link_implies_nothing(evidence_of: EvidenceOf) -> None:
    """Where employees are no persons, sellers may be."""
    evidence = evidence_of(firm())
    vetoed = Verdicts.of(evidence, vetoed=[("firm.employee", "firm.person")])
    assert scores(evidence, vetoed)["person seller"] > scores(evidence)["person seller"]


def test_an_accident_implies_nothing(evidence_of: EvidenceOf) -> None:
    """One person that happens to be an employee is still a reference to persons."""
    award = pd.DataFrame({"nr": ["x", "y"], "person_id": [EMPLOYEES[0]] * 2})
    evidence = evidence_of(firm(award=award))
    child, employee, person = (
        np.array([evidence.ids.index(f"firm.{name}.person_id")]) for name in ("award", "employee", "person")
    )
    assert excess(evidence, child, employee, person) == 0
    assert rivals_of(evidence).implied(child, person) == 0
