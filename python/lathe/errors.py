"""Diagnostics of the program as dataclasses and exceptions."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Dict, List, Mapping, Optional, Type


@dataclasses.dataclass(frozen=True)
class Location:
    """A place in a program as text (line and column, from 1), or a node of a model."""

    file: str
    line: Optional[int] = None
    column: Optional[int] = None
    node: Optional[str] = None
    op: Optional[str] = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}:{self.column}"
        return f"{self.file}: node '{self.node}' ({self.op})" if self.op else self.file


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """An error or a warning; `lathe explain CODE` describes the code."""

    severity: str
    code: Optional[str]
    kind: str
    message: str
    location: Optional[Location]
    notes: List[str]
    help: Optional[str] = None

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        code = f" [{self.code}]" if self.code else ""
        return f"{place}{self.severity}: {self.message}{code}"


class LatheError(Exception):
    """An error of the program. `code`, `location` and `message` are those of the first error."""

    def __init__(self, message: str, exit_code: int, diagnostics: List[Diagnostic]):
        self.exit_code = exit_code
        self.diagnostics = diagnostics
        errors = [d for d in diagnostics if d.severity == "error"]
        self.message = errors[0].message if errors else message
        self.code = errors[0].code if errors else None
        self.location = errors[0].location if errors else None
        super().__init__("\n".join(map(str, errors)) if errors else message)


class UsageError(LatheError):
    """An option or argument is invalid."""


class MalformedModelError(LatheError):
    """The model breaks a rule of its format, or a check failed at run time."""


class UnsupportedError(LatheError):
    """The model is valid and uses an unsupported feature."""


class LimitError(LatheError):
    """A limit or a budget is exceeded."""


class EnvironmentFailure(LatheError):
    """A file or a tool is missing or does not work."""


class MismatchError(LatheError):
    """The compiled program failed where the interpreter did not, or wrote out of bounds."""


class InternalFailure(LatheError):
    """An error of Lathe itself; the message says what to report."""


_BY_EXIT_CODE: Dict[int, Type[LatheError]] = {
    1: UsageError,
    2: MalformedModelError,
    3: UnsupportedError,
    4: LimitError,
    5: EnvironmentFailure,
    6: MismatchError,
}


def _location(place: Optional[Mapping[str, Any]]) -> Optional[Location]:
    if place is None:
        return None
    names = {field.name for field in dataclasses.fields(Location)}
    return Location(**{key: value for key, value in place.items() if key in names})


def _diagnostic(entry: Mapping[str, Any]) -> Diagnostic:
    return Diagnostic(
        entry["severity"],
        entry["code"],
        entry["kind"],
        entry["message"],
        _location(entry["place"]),
        [note["message"] for note in entry["notes"]],
        entry.get("help"),
    )


def read_diagnostics(text: str) -> List[Diagnostic]:
    """Reads the document of --diagnostics=json; other text, as of a usage error, has none."""
    start = text.find("{\n")
    if start < 0:
        return []
    try:
        document, _ = json.JSONDecoder().raw_decode(text[start:])
    except ValueError:
        return []
    return [_diagnostic(entry) for entry in document.get("diagnostics", [])]


def error_of(exit_code: int, diagnostics: List[Diagnostic], text: str) -> LatheError:
    """Returns the exception for an exit code of the program."""
    message = text.strip() or f"lathe ended with {exit_code}"
    return _BY_EXIT_CODE.get(exit_code, InternalFailure)(message, exit_code, diagnostics)
