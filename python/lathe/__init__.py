"""Lathe compiles neural networks to plain C or CUDA: a typed module over the program `lathe`.

    import lathe
    lathe.check("model.onnx")
    made = lathe.compile("model.onnx", target="cortex-m4f", out="generated", dims={"batch": 1})
    print(made.totals["ram_bytes"], made.files)

A model is a path, bytes, an onnx.ModelProto, a torch.nn.Module with example inputs, a Keras or
scikit-learn model, or a TVM IRModule. Errors of a model are exceptions with code, location and
message.
"""

from .errors import (
    Diagnostic,
    EnvironmentFailure,
    InternalFailure,
    LatheError,
    LimitError,
    Location,
    MalformedModelError,
    MismatchError,
    UnsupportedError,
    UsageError,
)
from .models import ConversionError, Model
from .program import cmake_folder, program, version
from .results import Comparison, ComparedOutput, CompileResult, RunResult, Report, ValidateResult
from .verbs import analyze, check, compile, run, validate

__all__ = [
    "Comparison",
    "ComparedOutput",
    "CompileResult",
    "ConversionError",
    "Diagnostic",
    "EnvironmentFailure",
    "InternalFailure",
    "LatheError",
    "LimitError",
    "Location",
    "MalformedModelError",
    "MismatchError",
    "Model",
    "Report",
    "RunResult",
    "UnsupportedError",
    "UsageError",
    "ValidateResult",
    "analyze",
    "check",
    "cmake_folder",
    "compile",
    "program",
    "run",
    "validate",
    "version",
]
