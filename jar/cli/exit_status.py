"""How a command ends: expected errors become a line on standard error and an exit status."""

from __future__ import annotations

import sys
from typing import Any

import click

from jar.cli.output import BAD_INPUT, FAILURE, INTERRUPTED, say
from jar.errors import is_interruption


class Group(click.Group):
    """Commands whose expected errors become one line on standard error, without a stack trace."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a known error becomes its message and an exit status."""
        try:
            return super().invoke(ctx)
        except click.exceptions.Exit:
            raise
        except click.UsageError as error:
            if _is_question_without_quotes(error):
                told = f"{error.message}; put a question of several words in quotes"
                raise click.UsageError(told, error.ctx) from None
            raise
        except (click.ClickException, click.Abort):
            raise
        except BrokenPipeError:
            sys.exit(FAILURE)
        except KeyboardInterrupt:
            say("Interrupted")
            sys.exit(INTERRUPTED)
        except Exception as error:
            if is_interruption(error):
                say("Interrupted")
                sys.exit(INTERRUPTED)
            status = _exit_status(error)
            if status is None:
                raise
            say(f"Error: {_in_words(error)}")
            ctx.exit(status)


def _is_question_without_quotes(error: click.UsageError) -> bool:
    """Whether the shell handed over a question word by word."""
    takes_one = error.ctx is not None and any(param.name == "question" for param in error.ctx.command.params)
    return takes_one and error.message.startswith("Got unexpected extra argument")


def _in_words(error: Exception) -> str:
    """What went wrong; of what the system refuses, the file and the reason, without the number of the error."""
    if isinstance(error, OSError) and error.strerror and isinstance(error.filename, str):
        from joinability.paths import shown

        return f"{shown(error.filename)}: {error.strerror[:1].lower()}{error.strerror[1:]}"
    return str(error)


def _exit_status(error: Exception) -> int | None:
    from formulations import FormulationError, SolverError, SolverNotInstalledError, UnknownSolverError
    from formulations.errors import SolverOptionError, SolverRefusalError
    from jar.errors import IndexWriteError, JarError
    from joinability import JoinabilityError

    if isinstance(error, IndexWriteError):
        return FAILURE
    mistakes = (UnknownSolverError, SolverNotInstalledError, SolverOptionError, SolverRefusalError)
    if isinstance(error, SolverError) and not isinstance(error, mistakes):
        return FAILURE
    no_file = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
    if isinstance(error, (JarError, FormulationError, JoinabilityError, UnicodeError, *no_file)):
        return BAD_INPUT
    # An engine or the system refused: a full disk, a folder that cannot be written.
    return FAILURE if isinstance(error, OSError) or "duckdb" in type(error).__module__ else None
