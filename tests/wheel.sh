#!/usr/bin/env bash
# Builds the wheel and uses it as a newcomer would: the base, in an environment of its own, outside the checkout, with
# distilled vectors and without machine code.
# Usage: tests/wheel.sh PYTHON
set -euo pipefail
python=$1
checkout=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
rm -rf "$checkout/build/lib"  # setuptools would pack what an earlier build left there
mkdir "$folder/work"

"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder/dist" "$checkout"
"$python" -m venv "$folder/environment"
bin=$folder/environment/bin
"$bin/python" -m pip install --quiet --disable-pip-version-check --constraint "$checkout/constraints.txt" \
    "jar-rerank @ file://$(echo "$folder"/dist/*.whl)"

cd "$folder/work"
unset PYTHONPATH
"$bin/python" - "$checkout/README.md" "$checkout" <<'PYTHON'
"""What lies in the environment, and the first example of the README with the embedder that is there."""
import doctest
import importlib.util
import sys
from pathlib import Path

readme, checkout = map(Path, sys.argv[1:])
for package in ("jar", "formulations", "joinability"):
    origin = Path(importlib.util.find_spec(package).origin)
    assert checkout not in origin.parents, f"{package} comes from the checkout, not from the wheel"
for package in ("benchmarks", "tests"):
    assert importlib.util.find_spec(package) is None, f"{package} is part of the wheel"
for package in ("numba", "llvmlite", "scipy", "onnxruntime", "tokenizers", "torch", "wordllama", "matplotlib", "sqlalchemy"):
    assert importlib.util.find_spec(package) is None, f"{package} is part of the base, which has to stay light"

names = {}
for example in doctest.DocTestParser().get_examples(readme.read_text().split("```python\n")[1].split("```")[0]):
    exec(example.source, names)
assert names["index"].embedder.name == "distilled", names["index"].embedder
assert "bank.disposition" in names["result"].tables and len(names["result"].tables) == 4, names["result"]
PYTHON

question="Which female clients of the bank own credit cards and also have loans?"
"$bin/jar" index demo/lake -o lake.jar --embedder distilled
"$bin/jar" rank lake.jar "$question" -k 4 2> said
"$bin/python" -W error -c "import jar, formulations; formulations.warm_up()" 2>> said
[ ! -s said ] || { echo "without machine code something is said at each start:"; cat said; exit 1; }
"$bin/jar" columns lake.jar "$question"
"$bin/jar" joins lake.jar --min-score 0.9
"$bin/jar" explain lake.jar "$question" -k 4 --html picture.html
grep -q "disposition" picture.html
cat > instance.json <<'JSON'
{"ids": ["client", "loan", "disposition"], "relevance": [0.9, 0.8, 0.1], "coverage": [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0]],
 "compatibility": [[0, 2, 0.9], [1, 2, 0.9]], "size": 3, "require": [], "exclude": [],
 "objective": {"name": "jar", "coarse": 10, "fine": 2, "coverage": 8, "join": 1, "connect": "require"}}
JSON
for solver in exact greedy local enumerate; do "$bin/jar" solve instance.json --solver $solver; done
"$bin/jar" solvers | tee solvers
[ "$(grep -c 'jar-rerank\[compiled\]' solvers)" -eq 1 ] || { echo "machine code is not offered once"; exit 1; }
"$bin/python" -m jar.sample.demo > /dev/null  # with the embedder that is there
"$bin/jar" index demo/lake -o other.jar --embedder minilm 2> refused.log && { echo "MiniLM ran without its packages"; exit 1; }
grep -q "pip install" refused.log || { cat refused.log; exit 1; }
echo "the wheel works: $(basename "$folder"/dist/*.whl)"
