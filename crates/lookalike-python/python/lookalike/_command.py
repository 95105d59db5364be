"""The ``lookalike`` command that the package brings along."""

from __future__ import annotations

import sys

from . import _lookalike


def main() -> None:
    """Runs the command with the arguments of the process, and ends the process with its status."""
    sys.exit(_lookalike.command(["lookalike", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
