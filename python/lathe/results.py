"""Results of the verbs."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import Any, Dict, List, Mapping, Optional

from .errors import Diagnostic


@dataclasses.dataclass(frozen=True)
class Report:
    """The resources of a compiled model; unknown values are None.

    `totals` has ram_bytes, arena_bytes, weights_bytes, macs, flash, stack and more. `functions` has
    the steps of each function. Both are the JSON of `lathe analyze` (docs/command-line.md).
    """

    name: str
    target: str
    numerics: Optional[str]
    totals: Mapping[str, Any]
    functions: List[Mapping[str, Any]]
    warnings: List[Diagnostic]

    @property
    def ram_bytes(self) -> Optional[int]:
        """Arena, inputs, outputs, state and instance; None if a size has no bound."""
        total = self.totals["ram_bytes"]
        return None if total is None else int(total)

    @property
    def arena_bytes(self) -> int:
        return int(self.totals["arena_bytes"])

    @property
    def weights_bytes(self) -> int:
        return int(self.totals["weights_bytes"])


@dataclasses.dataclass(frozen=True)
class CompileResult(Report):
    """A report, and the files that were written."""

    files: List[pathlib.Path] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class RunResult:
    """The result of a run.

    `value` is a numpy array for a tensor, a tuple for a tuple, an int, a float, a bool or a string;
    for --steps, a list of these. `random_sizes` are the sizes that were generated for open
    dimensions.
    """

    value: Any
    random_sizes: Dict[str, int]
    warnings: List[Diagnostic]


@dataclasses.dataclass(frozen=True)
class ComparedOutput:
    """An output of the compiled program beside the expected one."""

    name: str
    dtype: str
    shape: List[int]
    largest_difference: Optional[float]  # None: not a number
    elements: int
    unequal: int
    first_unequal: Optional[int]


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A run of the compiled program: on generated data, or on a folder of test data."""

    data: Optional[str]
    passed: bool
    outputs: List[ComparedOutput]
    remarks: List[str]


@dataclasses.dataclass(frozen=True)
class ValidateResult:
    """All comparisons of a validation."""

    passed: bool
    comparisons: List[Comparison]
    warnings: List[Diagnostic]
