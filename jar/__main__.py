"""The command ``jar``, which is ``python -m jar``."""

import sys


def run() -> None:
    """Run the command line; Ctrl-C is no error, even while it is being loaded."""
    try:
        from jar.cli.main import main

        main()
    except KeyboardInterrupt:
        print("Interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    run()
