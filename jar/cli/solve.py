"""``jar solve``, the best set of an instance file, and ``jar solvers``, by which."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from jar.cli.options import time_limit as time_limit_option
from jar.cli.output import FAILURE, JSON_HELP, SUCCESS, print_json


@click.command("solve")
@click.argument("instance_file", metavar="INSTANCE", type=click.Path())
@click.option("--solver", default="exact", show_default=True, help="See `jar solvers`.")
@time_limit_option
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Of the solver: engine=cbc, threads=2.")
@click.option("--fallback", help="The solver that answers where the first fails.")
@click.option("--solutions", type=click.IntRange(1), help="So many best sets; with --json, a list of them.")
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
def solve_command(
    instance_file: str,
    solver: str,
    time_limit: float | None,
    options: tuple[str, ...],
    fallback: str | None,
    solutions: int | None,
    as_json: bool,
) -> None:
    """Solve an instance file (JSON), with the objective that it holds."""
    from formulations import load_problem, solve

    instance, objective = load_problem(Path(instance_file))
    limits: dict[str, Any] = {"time_limit": time_limit, "fallback": fallback}
    answer = solve(instance, objective, solver, solutions=solutions, **limits, **dict(map(_option, options)))
    best = answer if isinstance(answer, list) else [answer]
    if as_json:
        documents = [solution.to_dict() for solution in best]
        print_json(documents if isinstance(answer, list) else documents[0])
    else:
        for solution in best:
            click.echo(solution)
    sys.exit(SUCCESS if best and best[0].items else FAILURE)


def _option(text: str) -> tuple[str, Any]:
    """Return the name and the value of NAME=VALUE: a number, null, or else a word."""
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
    if name in ("instance", "objective", "solver", "time_limit", "fallback", "solutions"):
        raise click.BadParameter(f"{name} is no option of a solver", param_hint="--option")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@click.command("solvers")
def solvers_command() -> None:
    """List the solvers, what each needs and how to install it."""
    from formulations import solvers

    click.echo(solvers())
