"""Modules of the package import each other in no circle, wherever in a file the import stands."""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "python"


def imports(file: Path, text: str) -> Iterator[str]:
    """Full names of what a file imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = list(file.parent.parts[: len(file.parent.parts) - node.level + 1]) if node.level else []
            yield from (".".join([*package, *filter(None, [node.module]), name.name]) for name in node.names)


def check(texts: dict[str, str]) -> None:
    """Fails on a circle; a package is its `__init__`, and who imports a module of it does not use what stands there."""
    modules = {path.rsplit(".", 1)[0].removesuffix("/__init__").replace("/", "."): path for path in texts}
    uses: dict[str, set[str]] = {}
    for path, text in texts.items():
        for name in imports(Path(path), text):
            parts = name.split(".")
            beginnings = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
            found = next((modules[beginning] for beginning in beginnings if beginning in modules), path)
            uses.setdefault(path, set()).update({found} - {path})
    graphlib.TopologicalSorter(uses).prepare()


def test_no_modules_use_each_other_in_a_circle():
    files = [file for ending in ("py", "pyi") for file in PACKAGE.rglob(f"*.{ending}")]
    assert len(files) > 40
    check({str(file.relative_to(PACKAGE)): file.read_text() for file in files})


@pytest.mark.parametrize(
    "texts",
    [
        {"p/_a.py": "def f():\n    from .room.b import g", "p/room/b.py": "if TYPE_CHECKING:\n    from .._a import A"},
        {"p/__init__.py": "from ._a import A", "p/_a.py": "from . import B"},
        {"p/_a.py": "import p.b as other", "p/b.py": "from p import _a"},
    ],
)
def test_a_circle_is_found(texts):
    with pytest.raises(graphlib.CycleError):
        check(texts)


def test_a_package_that_brings_names_is_in_no_circle_with_its_modules():
    check({"p/__init__.py": "from ._a import A\nfrom .room import b", "p/_a.py": "from .room import b", "p/room/b.py": ""})
