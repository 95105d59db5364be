"""``python -m lookalike`` is the ``lookalike`` command."""

from ._command import main

main()
