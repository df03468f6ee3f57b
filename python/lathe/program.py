"""Finds the program `lathe` and calls it."""

from __future__ import annotations

import functools
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from .errors import Diagnostic, EnvironmentFailure, error_of, read_diagnostics


def _installed_program() -> Optional[pathlib.Path]:
    """Returns the program that pip installed with this module; the wheel lists it among its scripts."""
    try:
        files = importlib.metadata.files("lathe") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == "lathe" and file.parent.name == "bin":
            path = pathlib.Path(str(file.locate()))
            return path.resolve() if path.exists() else None
    return None


def program() -> pathlib.Path:
    """Returns the path of the program: $LATHE_PROGRAM, that of the wheel, or `lathe` of the PATH."""
    named = os.environ.get("LATHE_PROGRAM")
    if named:
        return pathlib.Path(named)
    own = _installed_program()
    if own is not None:
        return own
    found = shutil.which("lathe")
    if found is None:
        raise EnvironmentFailure(
            "the program 'lathe' is neither in this package nor on the PATH; LATHE_PROGRAM names it", 5, [])
    return pathlib.Path(found)


def cmake_folder() -> pathlib.Path:
    """Returns the value of -Dlathe_DIR for CMake's find_package(lathe)."""
    prefix = program().resolve().parent.parent
    folder = prefix / "share" / "cmake" / "lathe"
    if not folder.is_dir():
        raise EnvironmentFailure(f"'{prefix}' has no CMake package of Lathe; 'cmake --install' adds it", 5, [])
    return folder


@functools.lru_cache(maxsize=None)
def _version_of(path: str) -> str:
    said = subprocess.run([path, "--version", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return str(json.loads(said)["version"])


def version() -> str:
    """Returns the version of the program: "0.1.0"."""
    return _version_of(str(program()))


class Said(NamedTuple):
    """What a verb printed: its JSON object, if any, and the diagnostics without errors."""

    exit_code: int
    result: Any
    diagnostics: List[Diagnostic]


def call(verb: str, words: Sequence[str], *, accepted: Tuple[int, ...] = (0,)) -> Said:
    """Runs a verb. Raises the error of an exit code that is not accepted."""
    line = [str(program()), verb, "--json", "--diagnostics=json", "--color=never", *words]
    try:
        done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise EnvironmentFailure(f"cannot run '{line[0]}': {error.strerror}", 5, []) from error
    said = done.stderr.decode("utf-8", "replace")
    diagnostics = read_diagnostics(said)
    text = done.stdout.decode("utf-8", "replace")
    # A code other than 0 is accepted with a result only.
    if done.returncode not in accepted or (done.returncode != 0 and not text.strip()):
        raise error_of(done.returncode, diagnostics, said)
    return Said(done.returncode, json.loads(text) if text.strip() else None, diagnostics)
