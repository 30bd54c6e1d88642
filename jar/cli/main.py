"""The command line: ``jar index | rank | explain | columns | filter | joins | fit | examples | mcp | solve | ...``.

Answers go to standard output, progress and messages to standard error. With ``--json`` standard output holds one JSON
document and nothing else. Exit status: 0 success, 1 something failed (a table that could not be read, an engine, no
solution), 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import click

from jar.cli.commands import COMMANDS
from jar.cli.exit_status import Group
from jar.cli.terminal.help_examples import with_examples


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="jar-rerank", prog_name="jar")
def main() -> None:
    """Choose the connected set of tables that answers a question."""


with_examples(main)
for command in COMMANDS:
    main.add_command(with_examples(command))
