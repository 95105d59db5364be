"""Libraries that a call needs and the package does without."""

from __future__ import annotations

import importlib
from typing import Any

#: The lowest release of each that is known to serve.
_RELEASES = {"pyarrow": ">=14", "matplotlib": ">=3.6", "numpy": ">=1.23"}


def needed(module: str, what: str) -> Any:
    """The module, which ``what`` needs.

    Raises:
        ImportError: It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != name:
            # It is installed, and lacks a library itself.
            raise
        requirement = name + _RELEASES.get(name, "")
        wanted = f"'{requirement}'" if requirement != name else name
        raise ImportError(f"{what} needs {name}: pip install {wanted}", name=name) from None
