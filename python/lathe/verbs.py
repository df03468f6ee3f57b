"""The verbs of the program as functions."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import tempfile
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from .arrays import read_value, write_arrays
from .errors import Diagnostic
from .models import Model, model_file
from .program import Said, call
from .results import Comparison, ComparedOutput, CompileResult, Report, RunResult, ValidateResult

# 4, (1, 8) for the range 1..8, or the text of a range.
Size = Union[int, Tuple[int, int], str]
_Report = TypeVar("_Report", bound=Report)


def _words(target: Optional[str], dims: Optional[Mapping[str, Size]], options: Sequence[str]) -> List[str]:
    words = [] if target is None else ["--target", target]
    for name, size in (dims or {}).items():
        text = f"{size[0]}..{size[1]}" if isinstance(size, tuple) else str(size)
        words += ["--dim", f"{name}={text}"]
    return words + list(options)


def _compared(output: Mapping[str, Any]) -> ComparedOutput:
    # Later versions of the program may report more.
    return ComparedOutput(**{field.name: output[field.name] for field in dataclasses.fields(ComparedOutput)})


def _warnings(said: Said) -> List[Diagnostic]:
    return [d for d in said.diagnostics if d.severity == "warning"]


def _report(kind: Type[_Report], said: Said, **more: Any) -> _Report:
    found = said.result
    return kind(
        name=found["model"]["name"],
        target=found["target"],
        numerics=found["numerics"],
        totals=found["totals"],
        functions=found["functions"],
        warnings=_warnings(said),
        **more,
    )


def check(model: Model, *, dims: Optional[Mapping[str, Size]] = None, example_inputs: Any = None, options: Sequence[str] = ()) -> List[Diagnostic]:
    """Checks all rules of the language of the model. Returns warnings; raises an error otherwise."""
    with model_file(model, example_inputs) as path:
        return _warnings(call("check", [*_words(None, dims, options), "--", str(path)]))


def compile(
    model: Model,
    *,
    out: Union[str, "os.PathLike[str]"],
    target: str = "generic-c99",
    name: Optional[str] = None,
    dims: Optional[Mapping[str, Size]] = None,
    package: str = "plain",
    golden: bool = False,
    example_inputs: Any = None,
    options: Sequence[str] = (),
) -> CompileResult:
    """Compiles a model to C or CUDA files in the folder `out`.

    `name` is the prefix of all symbols and files; a model without a path needs none and is called
    "model". `dims` fixes or bounds sizes: {"batch": 1} or {"n": (1, 512)}. `package` adds the files
    of a build system (docs/packages.md) and `golden` a self-test. `options` are further options of
    `lathe compile`, such as ["--max-ram", "64K"].
    """
    words = [*_words(target, dims, options), "--output", os.fspath(out)]
    if name is not None:
        words += ["--name", name]
    if package != "plain":
        words += ["--package", package]
    if golden:
        words.append("--golden")
    with model_file(model, example_inputs) as path:
        said = call("compile", [*words, "--", str(path)])
    return _report(CompileResult, said, files=[pathlib.Path(file) for file in said.result["files"]])


def analyze(
    model: Model,
    *,
    target: str = "generic-c99",
    dims: Optional[Mapping[str, Size]] = None,
    example_inputs: Any = None,
    options: Sequence[str] = (),
) -> Report:
    """Returns the memory, arithmetic and steps of the compiled model, and writes no files."""
    with model_file(model, example_inputs) as path:
        return _report(Report, call("analyze", [*_words(target, dims, options), "--", str(path)]))


@contextlib.contextmanager
def _input_words(inputs: Optional[Mapping[str, Any]], option: str) -> Iterator[List[str]]:
    if not inputs:
        yield []
        return
    with tempfile.TemporaryDirectory(prefix="lathe-") as folder:
        path = pathlib.Path(folder) / "inputs.npz"
        write_arrays(path, inputs)
        yield [option, str(path)]


def run(
    model: Model,
    inputs: Optional[Mapping[str, Any]] = None,
    *,
    seed: Optional[int] = None,
    function: str = "main",
    dims: Optional[Mapping[str, Size]] = None,
    example_inputs: Any = None,
    options: Sequence[str] = (),
) -> RunResult:
    """Evaluates a function with the interpreter.

    `inputs` are arrays by the names of parameters. With `seed`, the others are generated.
    """
    words = _words(None, dims, options) + ["--func", function]
    if seed is not None:
        words += ["--random", f"seed={seed}"]
    with model_file(model, example_inputs) as path, _input_words(inputs, "--input") as given:
        said = call("run", [*words, *given, "--", str(path)])
    result = said.result
    steps = result.get("steps")
    value = read_value(result["result"]) if steps is None else [read_value(step) for step in steps]
    return RunResult(value, dict(result["made_up"]), _warnings(said))


def validate(
    model: Model,
    data: Union[None, str, "os.PathLike[str]", Mapping[str, Any]] = None,
    *,
    on: Optional[str] = None,
    target: Optional[str] = None,
    function: str = "main",
    dims: Optional[Mapping[str, Size]] = None,
    example_inputs: Any = None,
    options: Sequence[str] = (),
) -> ValidateResult:
    """Compiles a model, runs it, and compares its outputs with the interpreter.

    `data` is arrays by name, or a value of --data: "random:seed=1", a file or a folder. `on` is the
    place of --on: "qemu", "qemu:BOARD", "cuda" and others. Different outputs are a result with
    `passed` False; a run that fails or writes out of bounds raises MismatchError.
    """
    words = _words(target, dims, options) + ["--func", function]
    if on is not None:
        words += ["--on", on]
    arrays: Optional[Dict[str, Any]] = None
    if isinstance(data, Mapping):
        arrays = dict(data)
    elif data is not None:
        words += ["--data", os.fspath(data)]
    with model_file(model, example_inputs) as path, _input_words(arrays, "--data") as given:
        said = call("validate", [*words, *given, "--", str(path)], accepted=(0, 6))
    comparisons = [
        Comparison(c["data"], c["passed"], [_compared(output) for output in c["outputs"]], c["remarks"])
        for c in said.result["comparisons"]
    ]
    return ValidateResult(said.result["passed"], comparisons, _warnings(said))
