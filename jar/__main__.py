"""The command ``jar``, which is ``python -m jar``."""

import os
import sys
from pathlib import Path


def run() -> None:
    """Run the command line; Ctrl-C is no error, even while it is being loaded, nor is a process without output."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started it
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open until the process ends
    try:
        from jar.cli.main import main

        main()
    except KeyboardInterrupt:
        print("Interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    run()
