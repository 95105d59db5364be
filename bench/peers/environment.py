"""The virtual environment of the peers: `target/peers-venv`, made and filled on first use.

Every peer is installed on its own, so that one that cannot be installed costs only its own row of the table. All
versions, also those of what the peers need, are pinned in `constraints.txt`: they were found to work together. Works
with the standard library alone, because it runs before anything is installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FOLDER = ROOT / "target" / "peers-venv"
STAMP = FOLDER / "installed.json"
CONSTRAINTS = HERE / "constraints.txt"

# What the scripts here use themselves; without these nothing runs.
BASE = ["numpy", "scipy", "orjson", "xxhash", "zstandard", "matplotlib"]

# Peer -> what pip installs for it. What datatrove's deduplication imports (spacy cuts its words) it leaves to the user
# to install; its extras would bring much more. It needs an xxhash below 4.
PEERS: dict[str, list[str]] = {
    "datasketch": ["datasketch"],
    "rensa": ["rensa"],
    "gaoya": ["gaoya"],
    "FastSketchLSH": ["FastSketchLSH"],
    "SetSimilaritySearch": ["SetSimilaritySearch"],
    "datatrove": ["datatrove", "spacy", "regex", "tokenizers"],
}


def python() -> Path:
    """The interpreter of the environment."""
    return FOLDER / "bin" / "python"


def ensure_and_enter(script: Path) -> None:
    """Makes the environment if it is missing and starts `script` again inside it, unless it runs there already."""
    if Path(sys.prefix).resolve() == FOLDER.resolve():
        return
    _install()
    # the checkout stays clean; what pip installed is compiled already
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    os.execv(python(), [str(python()), str(script), *sys.argv[1:]])


def unavailable() -> dict[str, str]:
    """Peer -> why it could not be installed."""
    return json.loads(STAMP.read_text())["failed"]


def versions() -> dict[str, str]:
    """Peer -> installed version."""
    from importlib import metadata

    found = {}
    for peer in PEERS:
        try:
            found[peer] = metadata.version(peer)
        except metadata.PackageNotFoundError:
            continue
    return found


def _install() -> None:
    wanted = {"python": sys.version, "constraints": CONSTRAINTS.read_text(), "base": BASE, "peers": PEERS}
    done = json.loads(STAMP.read_text()) if STAMP.exists() else {}
    if done.get("wanted") == wanted and not done["failed"]:
        return
    if not python().exists():
        print(f"making {FOLDER}", file=sys.stderr)
        try:
            venv.create(FOLDER, with_pip=True, symlinks=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"cannot make a virtual environment with pip ({error}): is python3-venv installed?")
    problem = _pip(BASE)
    if problem:
        sys.exit(f"cannot install {', '.join(BASE)} into {FOLDER}:\n{problem}")
    failed = {peer: problem for peer, packages in PEERS.items() if (problem := _pip(packages))}
    for peer, problem in failed.items():
        print(f"NOT INSTALLED: {peer}: {problem}", file=sys.stderr)
    STAMP.write_text(json.dumps({"wanted": wanted, "failed": failed}, indent=1))


def _pip(packages: list[str]) -> str:
    """Installs packages; returns what went wrong, or nothing."""
    print(f"installing {' '.join(packages)}", file=sys.stderr)
    command = [str(python()), "-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), *packages]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return ""
    lines = [line for line in result.stderr.splitlines() if line.startswith("ERROR")]
    return (lines or result.stderr.splitlines()[-1:] or ["pip failed"])[0]
