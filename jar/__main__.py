"""``python -m jar``: the command line."""

from jar.cli.main import main

if __name__ == "__main__":
    main()
