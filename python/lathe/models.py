"""Turns the models of other libraries into files that the program reads.

No library is imported here: a model of a library can only exist if the library is loaded.
"""

from __future__ import annotations

import codecs
import contextlib
import importlib
import inspect
import os
import pathlib
import sys
import tempfile
import warnings
from typing import Any, Iterator, Optional, Sequence, Union

# A path, bytes, or an object of a library; the libraries are optional, so the type names none.
Model = Union[str, "os.PathLike[str]", bytes, bytearray, Any]

SUPPORTED = (
    "a path, bytes, an onnx.ModelProto, a torch.nn.Module with example_inputs, a Keras model, a scikit-learn "
    "model with example_inputs, or a TVM IRModule"
)


class ConversionError(TypeError):
    """The object is not a model, or a package that converts it is missing."""


def _library(name: str) -> Any:
    return sys.modules.get(name)


def _suffix_of(content: bytes) -> str:
    """Returns the file ending for the first bytes of a model: TFLite, text, or else ONNX."""
    if content[4:8] == b"TFL3":
        return ".tflite"
    head = content[:4096].lstrip()
    if head.startswith((b"#[version", b"def @", b"type ")):
        return ".relay"
    with contextlib.suppress(UnicodeDecodeError):
        # A character may cross the end of the part.
        text = codecs.getincrementaldecoder("utf-8")("strict").decode(content[:4096], final=len(content) <= 4096)
        if "\0" not in text and ("tvm" in text or "@" in text):
            return ".py"
    return ".onnx"


def _examples(example_inputs: Any, library: str) -> Sequence[Any]:
    if example_inputs is None:
        raise ConversionError(f"a model of {library} needs example_inputs: their shapes and dtypes are those of the inputs")
    return example_inputs if isinstance(example_inputs, (tuple, list)) else (example_inputs,)


def _write_onnx(model: Any, folder: pathlib.Path) -> pathlib.Path:
    path = folder / "model.onnx"
    if model.ByteSize() < 1 << 31:
        path.write_bytes(model.SerializeToString())
    else:
        # A file of protobuf has at most 2 GiB; larger weights are stored in files of their own.
        _library("onnx").save(model, str(path), save_as_external_data=True)
    return path


def _write_torch(model: Any, example_inputs: Any, folder: pathlib.Path) -> pathlib.Path:
    torch = _library("torch")
    path = folder / "model.onnx"
    args = tuple(_examples(example_inputs, "PyTorch"))
    was_training = model.training
    model.eval()
    # The exporter of TorchScript needs no further package.
    options = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # about this exporter
            torch.onnx.export(model, args, str(path), opset_version=17, **options)
    finally:
        model.train(was_training)
    return path


def _write_keras(model: Any, folder: pathlib.Path) -> pathlib.Path:
    tensorflow = _library("tensorflow")
    if tensorflow is not None:
        path = folder / "model.tflite"
        path.write_bytes(tensorflow.lite.TFLiteConverter.from_keras_model(model).convert())
        return path
    if not hasattr(model, "export"):
        raise ConversionError("this version of Keras exports no models; Keras 3.9 or TensorFlow does")
    path = folder / "model.onnx"
    try:
        model.export(str(path), format="onnx", verbose=False)
    except (ImportError, ValueError) as error:
        raise ConversionError(f"Keras does not export this model as ONNX: {error}") from error
    return path


def _write_sklearn(model: Any, example_inputs: Any, folder: pathlib.Path) -> pathlib.Path:
    try:
        skl2onnx = importlib.import_module("skl2onnx")
    except ImportError as error:
        raise ConversionError("a scikit-learn model needs the package skl2onnx") from error
    (example,) = _examples(example_inputs, "scikit-learn")
    options = {id(model): {"zipmap": False}} if hasattr(model, "predict_proba") else None
    return _write_onnx(skl2onnx.to_onnx(model, example, options=options), folder)


def _write_tvm(model: Any, folder: pathlib.Path) -> pathlib.Path:
    relay = _library("tvm.relay")
    if relay is not None and any(isinstance(f, relay.Function) for f in model.functions.values()):
        path = folder / "model.relay"
        path.write_text(model.astext(show_meta_data=True), encoding="utf-8")
        return path
    path = folder / "model.py"
    path.write_text(model.script(show_meta=True), encoding="utf-8")
    return path


def _write(model: Any, example_inputs: Any, folder: pathlib.Path) -> pathlib.Path:
    onnx, torch, tvm = _library("onnx"), _library("torch"), _library("tvm")
    if onnx is not None and isinstance(model, onnx.ModelProto):
        return _write_onnx(model, folder)
    if torch is not None and isinstance(model, torch.nn.Module):
        return _write_torch(model, example_inputs, folder)
    if tvm is not None and isinstance(model, tvm.IRModule):
        return _write_tvm(model, folder)
    bases = {base.__module__.partition(".")[0] for base in type(model).__mro__}
    if bases & {"keras", "tf_keras", "tensorflow"} and hasattr(model, "layers"):
        return _write_keras(model, folder)
    if "sklearn" in bases:
        return _write_sklearn(model, example_inputs, folder)
    raise ConversionError(f"'{type(model).__module__}.{type(model).__qualname__}' is not a model; supported: {SUPPORTED}")


@contextlib.contextmanager
def model_file(model: Model, example_inputs: Optional[Any] = None) -> Iterator[pathlib.Path]:
    """Yields the path of the model; that of an object is a temporary file."""
    if isinstance(model, (str, os.PathLike)):
        yield pathlib.Path(model)
        return
    with tempfile.TemporaryDirectory(prefix="lathe-") as name:
        folder = pathlib.Path(name)
        if isinstance(model, (bytes, bytearray)):
            content = bytes(model)
            path = folder / f"model{_suffix_of(content)}"
            path.write_bytes(content)
        else:
            path = _write(model, example_inputs, folder)
        yield path
