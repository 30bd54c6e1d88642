"""What the package and each of its extras put on a disk, measured by installing them.

The package is installed into an environment that holds nothing else, not even pip; each extra into a copy of it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from configparser import ConfigParser
from dataclasses import dataclass
from datetime import date
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.pages.grids import Grid

ROOT = Path(__file__).parents[2]
TORCH = "torch==2.13.0"
"""The release that extras with torch are measured with."""
MINUTES = 15
"""How long an installation may take."""
MARK = "†"
EARLIER = f"""

{MARK} As it was measured before, beside the base of then: what it adds counts."""
SHOWN = 3
"""Distributions of an extra that the page names, largest first."""
LARGE = 5_000_000
"""Bytes from which on the page says what a distribution of the base is for."""
PURPOSES = {
    "pyarrow": "reads CSV, Parquet and Feather files; batches of rows on their way from sources to DuckDB",
    "pandas": "data frames as tables, and as answers: `Index.joins()`, `Index.tables()`",
    "duckdb": "the index file; counts of values and overlaps; databases that hold tables",
    "numpy": "vectors, scores, instances and the search",
    "networkx": "the join graph, its paths",
    "sqlglot": "DDL, earlier queries, SQL dialects",
    "pygments": "comes with rich, the tables and bars of the command line",
    "jar-rerank": "this package; 6 MB of it are the distilled vectors",
}
"""What the distributions of the base are for."""


Row = tuple[str, ...]
"""The cells of a row of the page."""


@dataclass(frozen=True)
class Size:
    """What one installation holds: bytes of all files, and of each distribution by its name."""

    extra: str
    size: int
    distributions: dict[str, int]

    @property
    def torch(self) -> bool:
        """Whether torch is part of it."""
        return "torch" in self.distributions


@dataclass(frozen=True)
class Refused:
    """An extra that could not be installed, and why."""

    extra: str
    reason: str


def declared_extras() -> list[str]:
    """The extras of the package but "test", which is for its own checks."""
    config = ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return [extra for extra in config["options.extras_require"] if extra != "test"]


def measure_sizes(extras: Sequence[str], report: Callable[[str], None]) -> list[Size | Refused]:
    """Install the package ("" in the answer) and each extra, in the versions that the index serves today.

    Raises
    ------
    subprocess.SubprocessError
        When the package itself cannot be installed.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        _run(["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)])
        wheel, base = next(folder.glob("*.whl")), folder / "base"
        (folder / "constraints.txt").write_text(f"{TORCH}\n", "utf-8")
        found: list[Size | Refused] = [_installed(base, wheel, "", base)]
        for extra in extras:
            report(f"the extra {extra} is installed")
            try:
                found.append(_installed(folder / extra, wheel, extra, base))
            except subprocess.SubprocessError as error:
                found.append(Refused(extra, _reason(error)))
            shutil.rmtree(folder / extra, ignore_errors=True)
        return found


def _installed(environment: Path, wheel: Path, extra: str, base: Path) -> Size:
    _run(["-m", "venv", "--without-pip", str(environment)])
    if extra:
        shutil.copytree(_packages(base), _packages(environment), dirs_exist_ok=True)
    target = f"jar-rerank[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    python, held = environment / "bin" / "python", wheel.parent / "constraints.txt"
    _run(["-m", "pip", "--python", str(python), "install", "--quiet", "--constraint", str(held), target])
    return size_of(extra, _packages(environment))


def size_of(extra: str, packages: Path) -> Size:
    """Sizes of all files below a folder of packages, and of each distribution there."""
    total = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file())
    found = {one.metadata["Name"].lower(): _bytes(one) for one in distributions(path=[str(packages)])}
    return Size(extra, total, found)


def kept_rows(page: str, measured: Collection[str]) -> dict[str, Row]:
    """By extra, the rows of an earlier page that are not measured now, with a mark."""
    found = {}
    for line in page.splitlines():
        if (named := re.match(r"\| `([\w-]+)`", line)) and named[1] not in measured:
            label, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            found[named[1]] = (f"{label.removesuffix(MARK)}{MARK}", *cells)
    return found


def sizes_grid(found: Sequence[Size | Refused], kept: Mapping[str, Row] | None = None) -> Grid:
    """A row for the package and for each extra, with what it adds to the package; with rows of an earlier page."""
    base = _base(found)
    header = ("extra", "MB", "more than the base", "distributions", "more than the base", "the largest of these")
    rows = {size.extra: _row(size, base) for size in found} | dict(kept or {})
    order = ["", *declared_extras(), *rows]
    return Grid("", header, [rows[extra] for extra in sorted(rows, key=order.index)])


def _base(found: Sequence[Size | Refused]) -> Size:
    return next(size for size in found if isinstance(size, Size) and not size.extra)


def sizes_page(found: Sequence[Size | Refused], seconds: float, kept: Mapping[str, Row] | None = None) -> str:
    """The page `docs/sizes.md`."""
    version, now = ".".join(map(str, sys.version_info[:2])), date.today().isoformat()
    return f"""# Sizes

What `pip install jar-rerank` and each extra put on a disk: all files in `site-packages`, compiled modules of Python
included, in an environment that holds nothing else. MB are 10^6 bytes. Each extra is installed beside the base.

{sizes_grid(found, kept).markdown()}

\\* With torch, installed first and in a build without CUDA: `pip install {TORCH}`. The libraries of CUDA, which come
with torch where the index serves another build, are not counted.{EARLIER if kept else ""}

{_base_text(_base(found))}

Measured on {now} with Python {version} and the versions that the index served that day ({seconds / 60:.0f} minutes):

    .venv/bin/python -m benchmarks sizes --page docs/sizes.md
"""


def parts_grid(base: Size) -> Grid:
    """A row for each large distribution of the base, largest first: what it is for."""
    large = sorted((name for name, size in base.distributions.items() if size >= LARGE), key=base.distributions.get)
    rows = [(name, f"{base.distributions[name] / 1e6:.0f}", PURPOSES.get(name, "")) for name in reversed(large)]
    return Grid("", ("distribution", "MB", "what it is for"), rows)


def _base_text(base: Size) -> str:
    """What the parts of the base are for, and why the largest stays."""
    lighter = (base.size - base.distributions.get("pyarrow", 0)) / 1e6
    return f"""## What the base is made of

{parts_grid(base).markdown()}

numba, llvmlite and scipy are no part of it: [what plain Python costs](choosing.md#machine-code). `embed` has them.

**Why pyarrow stays.** Without it the base would be {lighter:.0f} MB. DuckDB alone could hold the rows on their way: it
takes numpy arrays and gives them in the time of Arrow tables (a million cells in, 125 to 150 ms of processor time and
156; a million hashes out, 12 ms both ways), only vectors take longer (5,000 of 384 numbers in, 67 ms for 13). What has
no equal is how files are read. Python's `csv` passes all but 2 of the 84 tests of files, but reads 21 MB in 0.92 s
instead of 0.07 s, so that their profiles take 2.2 to 2.6 s instead of 1.1 s, and does not tell `""` from a missing
value. DuckDB's reader of CSV fails 24 of the tests (quotes that are never closed, bad rows, Windows-1252, stated
delimiters), and its reader of Parquet turns long decimals into floats and durations into integers. arro3, a light Arrow
of 46 MB, fails 17 of the tests, and infers no types of Python's values."""


def _row(size: Size | Refused, base: Size) -> Row:
    if isinstance(size, Refused):
        return (f"`{size.extra}`", f"not installed: {size.reason}", "", "", "", "")
    label = f"`{size.extra}`" + r"\*" * size.torch if size.extra else "none: the base"
    known = {} if size is base else base.distributions
    shown = {name: count for name, count in size.distributions.items() if name not in known}
    largest = sorted(shown, key=lambda name: -shown[name])[:SHOWN]
    more = ("", "") if size is base else (f"{(size.size - base.size) / 1e6:.0f}", str(len(shown)))
    parts = ", ".join(f"{name} {shown[name] / 1e6:.0f}" for name in largest)
    return (label, f"{size.size / 1e6:.0f}", more[0], str(len(size.distributions)), more[1], parts)


def _bytes(distribution: Distribution) -> int:
    paths = [Path(str(file.locate())) for file in distribution.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file())


def _packages(environment: Path) -> Path:
    """The site-packages of an environment."""
    return next(environment.glob("lib/python*/site-packages"))


def _run(arguments: Sequence[str]) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True, timeout=60 * MINUTES)


def _reason(error: subprocess.SubprocessError) -> str:
    """The last line that pip says."""
    if isinstance(error, subprocess.CalledProcessError):
        lines = [line for line in (error.stderr or "").splitlines() if line.startswith("ERROR")]
        return lines[-1] if lines else f"pip ended with {error.returncode}"
    return f"more than {MINUTES} minutes"
