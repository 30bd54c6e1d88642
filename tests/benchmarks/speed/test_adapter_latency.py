"""What adapters add is measured with those whose frameworks are here; one needs none."""

from __future__ import annotations

from click.testing import CliRunner

from benchmarks.__main__ import main
from benchmarks.commands.adapters import NotHereError
from benchmarks.speed.adapter_latency import ADAPTERS, installed_adapters, latency_grid, measure_latency


def test_an_adapter_without_a_framework_is_measured() -> None:
    """It takes some time, `rank` included, and has a row."""
    assert "sentence_transformers" in installed_adapters()
    (found,) = measure_latency(["sentence_transformers"], repeats=3)
    assert found.through > 0
    assert found.rank > 0
    assert latency_grid([found]).rows[0][0] == "sentence_transformers"


def test_an_unknown_adapter_is_refused() -> None:
    """The error lists those that there are."""
    error = CliRunner().invoke(main, ["adapters", "--names", "nothing"]).exception
    assert isinstance(error, NotHereError)
    assert all(name in str(error) for name in ["nothing", *ADAPTERS])
