"""Command line: ``python -m benchmarks COMMAND``; without one, the list of commands."""

from __future__ import annotations

import sys

import click

from benchmarks.commands.adapters import adapters
from benchmarks.commands.errors import errors
from benchmarks.commands.fit import fit
from benchmarks.commands.fit_relevance import fit_relevance
from benchmarks.commands.growth import growth
from benchmarks.commands.hops import hops
from benchmarks.commands.howmany import howmany
from benchmarks.commands.joins import joins
from benchmarks.commands.lake import lake, overlaps
from benchmarks.commands.peers import peers
from benchmarks.commands.report import report
from benchmarks.commands.run import run
from benchmarks.commands.sizes import sizes
from benchmarks.commands.solvers import solvers
from benchmarks.commands.speed import speed
from benchmarks.data.refusal import RefusalError
from benchmarks.distil.distil_command import distil
from benchmarks.examples.examples_command import examples
from benchmarks.late.late_commands import filter_schemas, fit_filter, fit_late
from benchmarks.soak.soak_command import soak_command
from benchmarks.sql.sql_command import sql
from formulations import FormulationError
from jar import JarError

COMMANDS = (
    *(run, report, errors, hops, examples, howmany, sql, joins, filter_schemas, peers),
    *(fit, fit_relevance, fit_late, fit_filter, distil),
    *(speed, growth, soak_command, sizes, adapters, solvers, lake, overlaps),
)
"""Most of them in a file of `benchmarks.commands`, the others in the folder of what they measure."""
REFUSED = (RefusalError, FormulationError, JarError)
"""What is told in a line."""
STOPPED = 130
"""The status of a command that the user interrupts, as shells have it."""


@click.group()
def main() -> None:
    """Reproduce the figures of the project."""


for command in COMMANDS:
    main.add_command(command)


def _entry() -> None:
    try:
        main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        print("stopped", file=sys.stderr)
        sys.exit(STOPPED)
    except REFUSED as error:
        print(f"error: {error.args[0] if error.args else error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    _entry()
