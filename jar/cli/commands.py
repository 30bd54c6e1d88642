"""The commands: a row and a file for each."""

from __future__ import annotations

from jar.cli.columns import columns_command
from jar.cli.completion import completion_command
from jar.cli.example_finding import examples_command
from jar.cli.explain import explain_command
from jar.cli.filtering import filter_command
from jar.cli.fit import fit_command
from jar.cli.indexing import index_command, sample_command
from jar.cli.joins import joins_command
from jar.cli.rank import rank_command
from jar.cli.serving import mcp_command, serve_command
from jar.cli.solve import solve_command, solvers_command

COMMANDS = (
    index_command,
    rank_command,
    explain_command,
    joins_command,
    fit_command,
    columns_command,
    examples_command,
    filter_command,
    mcp_command,
    serve_command,
    solve_command,
    solvers_command,
    sample_command,
    completion_command,
)
