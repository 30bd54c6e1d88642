# Two commands for a newcomer: `make demo` and `make test`. Both build .venv first, once: the demo takes the package and
# its embedder (1 GB), the tests everything (4 GB).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Processes among which the tests are divided, one more than cores, as each waits at times; each takes about 1 GB.
WORKERS ?= 3
# Without bytecode every process of a test compiles all that it imports.
unexport PYTHONDONTWRITEBYTECODE
DEMO_STAMP := $(VENV)/.installed-for-demo

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

.PHONY: help demo test tests lint types docs wheel bench-smoke clean

help:
	@echo "make demo         index the sample lake and answer three questions"
	@echo "make test         set up and run every check: lint, types, tests, README, docs; WORKERS=2 for fewer than three processes"
	@echo "make docs         build the pages of docs/ into a site, build/docs/index.html"
	@echo "make wheel        build the wheel and use it in an environment of its own"
	@echo "make bench-smoke  the figures of the README on a small slice (needs the benchmark data)"
	@echo "make clean        remove the environment and everything that was generated"

$(BIN)/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 10), "Python 3.10 or newer is needed: make PYTHON=python3.12"'
	$(PYTHON) -m venv $(VENV)

$(DEMO_STAMP): setup.cfg pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing the package and its embedder into $(VENV) (1 GB, about a minute) ..."
	$(INSTALL) ".[embed]"
	@touch $(DEMO_STAMP)

$(STAMP): setup.cfg pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing all that the tests need into $(VENV) (4 GB, some minutes) ..."
	$(INSTALL) ".[test]"
	@touch $(STAMP) $(DEMO_STAMP)

demo: $(DEMO_STAMP)
	$(BIN)/python -m jar.sample.demo

# Types, which take one process a minute and a half, are checked beside the tests.
test: $(STAMP) lint
	@$(MAKE) --no-print-directory --jobs=2 types tests

tests: $(STAMP)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

docs: $(STAMP)
	$(BIN)/python -m sphinx --jobs auto --fail-on-warning --keep-going --nitpicky --quiet docs build/docs

wheel:
	bash tests/wheel.sh $(PYTHON)

bench-smoke: $(STAMP)
	$(BIN)/python -m benchmarks run --smoke --output build/smoke
	$(BIN)/python -m benchmarks run --smoke --task union --embedder static --output build/smoke
	$(BIN)/python -m benchmarks run --smoke --task columns --embedder static --output build/smoke
	$(BIN)/python -m benchmarks speed --smoke --output build/smoke
	$(BIN)/python -m benchmarks solvers --smoke --output build/smoke

clean:
	rm -rf $(VENV) demo build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
