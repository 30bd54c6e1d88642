"""What the base installation does without scipy: all but to learn from logged questions and to compare whole tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, sys

class NoScipy:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "scipy":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

if sys.argv[2] == "without":
    sys.meta_path.insert(0, NoScipy())

from jar import Catalog, Index, Reranker

index = Index.build(Catalog.from_files(sys.argv[1]), embedder="distilled")
reranker = Reranker(index)
answer = reranker.rank("How many points did each driver win in races of 2009?", k=3)
told = {"joins": index.joins().to_csv(index=False), "tables": answer.tables, "score": repr(answer.value)}

def said(call):
    try:
        return str(len(call()))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

told["unions"] = said(index.unions)
told["fit"] = said(lambda: reranker.fit(["which races"] * 3, [["races"]] * 3))
told["scipy"] = "scipy" in sys.modules
print(json.dumps(told))
"""


def run(folder: Path, how: str) -> dict[str, object]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(folder), how], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_the_base_does_without_scipy(tmp_path: Path) -> None:
    """Joins, sets and values are the same; what needs scipy says so."""
    for name in ("north", "south"):
        rows = "".join(f"{number},{name} {number},{number % 7}\n" for number in range(40))
        (tmp_path / f"races_of_{name}.csv").write_text(f"race_id,race_name,circuit\n{rows}")
    circuits = "".join(f"{number},Ring {number}\n" for number in range(7))
    (tmp_path / "circuits.csv").write_text(f"circuit,title\n{circuits}")
    wins = "".join(f"{number},{number * 3 % 40},{number % 9}\n" for number in range(60))
    (tmp_path / "points.csv").write_text(f"point_id,race_id,points\n{wins}")
    without, with_it = run(tmp_path, "without"), run(tmp_path, "with")
    for name in ("joins", "tables", "score"):
        assert without[name] == with_it[name]
    remedy = 'needs scipy: pip install "jar-rerank[fit]"'
    assert without["unions"] == f"JoinabilityError: to match the columns of tables {remedy}"
    assert without["fit"] == f"JarError: to learn from logged questions {remedy}"
    assert with_it["unions"] == "1"
    assert str(with_it["fit"]).startswith("FitRefusedError")
    assert (without["scipy"], with_it["scipy"]) == (False, True)
