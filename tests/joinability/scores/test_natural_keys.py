"""References to keys beside the key of a table: with leading zeros, and of some of its rows alone."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from joinability import Catalog, JoinEvidence
from tests.joinability.scores.pair_scores import pair_score

EvidenceOf = Callable[[Catalog], JoinEvidence]
NUMBERS = [f"{17 * place + 4003:08d}" for place in range(150)]
CODES = [f"{chr(65 + place // 26)}{chr(65 + place % 26)}XQ" for place in range(90)]


def railway() -> dict[str, pd.DataFrame]:
    """Employees with numbers for their wages, and stops of which stations alone have a code."""
    return {
        "rail.employee": pd.DataFrame({"employee_id": range(1002, 1152), "personnel_no": NUMBERS}),
        "rail.stop": pd.DataFrame(
            {"stop_id": [f"s{place:05d}" for place in range(150)], "stop_code": [*CODES, *[None] * 60]}
        ),
        "rail.fine": pd.DataFrame(
            {
                "fine_id": range(1, 301),
                "inspector_personnel_no": [NUMBERS[11 * place % 150] for place in range(300)],
                "boarding_stop_code": [CODES[7 * place % 90] for place in range(300)],
                "remark": [f"r{place}" for place in range(300)],
            }
        ),
    }


@pytest.mark.parametrize(
    ("child", "parent"),
    [("inspector_personnel_no", "employee.personnel_no"), ("boarding_stop_code", "stop.stop_code")],
)
def test_keys_beside_the_key_are_referred_to(evidence_of: EvidenceOf, child: str, parent: str) -> None:
    assert pair_score(evidence_of(Catalog.from_frames(railway())), f"fine.{child}", parent) > 0.5


@pytest.mark.parametrize(
    ("name", "filled", "expected"),
    [("stop_code", 90, 1.0), ("stop_code", 10, 10 / 150), ("remark", 90, 90 / 150)],
)
def test_the_uniqueness_of_a_key_is_that_of_its_values(
    evidence_of: EvidenceOf, name: str, filled: int, expected: float
) -> None:
    """Where its name says that it identifies, and enough rows have a value; else by all rows."""
    codes = [*CODES[:filled], *[None] * (150 - filled)]
    frame = pd.DataFrame({"stop_id": range(1, 151), name: codes})
    evidence = evidence_of(Catalog.from_frames({"rail.stop": frame}))
    assert evidence.key_uniqueness[1] == pytest.approx(expected)
    assert evidence.uniqueness[1] == pytest.approx(filled / 150)
