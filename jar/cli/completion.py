"""``jar completion``: the shell completes commands, options, files and tables of an index, by click's own scripts."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

SHELLS = ("bash", "zsh", "fish")
MOST = 200
"""Tables that the shell is told of."""


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> None:
    """Print what makes SHELL complete `jar`: commands, options, files, and the tables of an index.

    For bash: echo 'eval "$(jar completion bash)"' >> ~/.bashrc
    """
    kind = get_completion_class(shell)
    assert kind is not None  # click knows the shells above
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, "jar", "_JAR_COMPLETE").source())


def table_ids(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The tables of the index before the cursor whose ids, or names, begin as what is typed; none where it has none."""
    # where an option still lacks its value, click has not given the words before it to the arguments
    words = [str(word) for word in (context.params.get("index_file"), *context.args) if word]
    path = next((word for word in words if Path(word).is_file()), None)
    if path is None:
        return []
    from jar.errors import JarError
    from jar.index.file import open_index

    try:
        with open_index(Path(path)) as connection:
            rows = connection.execute(
                "SELECT id FROM catalog_tables WHERE starts_with(id, ?) OR starts_with(name, ?) ORDER BY id LIMIT ?",
                [incomplete, incomplete, MOST],
            ).fetchall()
    except (JarError, OSError):
        return []
    return [CompletionItem(str(id_)) for (id_,) in rows]
