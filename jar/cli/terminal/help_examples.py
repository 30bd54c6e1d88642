"""Examples at the end of every help: lines for a shell that work on the sample lake, once its index is made."""

from __future__ import annotations

import click

EXAMPLES: dict[str, tuple[str, ...]] = {
    "main": (
        "jar sample lake && jar index lake -o lake.jar",
        'jar rank lake.jar "Which female clients of the bank own credit cards and also have loans?" -k 4',
    ),
    "sample": ("jar sample lake", "jar sample lake-sqlite --format sqlite"),
    "index": ("jar index lake -o lake.jar", "jar index lake -o lake.jar --values plain    # again: reads what changed"),
    "rank": (
        'jar rank lake.jar "Which clients have loans?" -k 3',
        'jar rank lake.jar "Which clients have loans?" -k auto --require client --sql --dialect sqlite',
    ),
    "explain": ('jar explain lake.jar "Which clients have loans?" -k 3', "jar explain lake.jar --names bank.client"),
    "joins": (
        "jar joins lake.jar --table bank.client --min-score 0.5",
        "jar joins lake.jar --path bank.card bank.client --format mermaid",
    ),
    "columns": (
        'jar columns lake.jar "Which female clients have loans?" --budget 5',
        'jar columns lake.jar "Which clients have loans?" --probes "client(name) loan(amount)" --explain',
    ),
    "filter": (
        "jar index lake -o lake.jar --token-vectors",
        'jar filter lake.jar bank "Which clients have loans?" --recall 0.9',
    ),
    "fit": ("jar fit lake.jar    # what it is fitted to",),
    "examples": (
        "printf 'question,sql\\nHow many loans?,SELECT count(*) FROM loan\\n' > log.csv",
        'jar examples lake.jar "How many cards are there?" --store log.csv',
    ),
    "mcp": ("jar mcp lake.jar < /dev/null    # an agent is at the other end, else it stops",),
    "serve": ("jar serve lake.jar --port 8899    # until Ctrl-C",),
    "solve": (
        """echo '{"relevance": [3, 2, 1], "compatibility": [[0, 2, 0.5]], "size": 2}' > instance.json""",
        "jar solve instance.json --solver exact",
    ),
    "solvers": ("jar solvers",),
    "completion": ("jar completion bash",),
}
"""By the names of commands; each line stands for itself, or goes on with what the line before it made."""


def with_examples(command: click.Command) -> click.Command:
    """The command with its examples at the end of its help."""
    lines = EXAMPLES.get(command.name or "", ())
    if lines:
        command.epilog = "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
    return command
