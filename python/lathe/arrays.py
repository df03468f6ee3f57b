"""Converts values of the program from JSON, and arrays to the files that it reads.

numpy is imported on use: verbs without arrays work without it.
"""

from __future__ import annotations

import pathlib
import zipfile
from typing import Any, Mapping

# Elements without a dtype in numpy, and the dtype that has all of their values.
_WIDER = {"int4": "int8", "uint4": "uint8", "int2": "int8", "uint2": "uint8", "int1": "int8", "uint1": "uint8"}


def _dtype(name: str) -> Any:
    import numpy

    try:
        return numpy.dtype(_WIDER.get(name, name))
    except TypeError:
        return numpy.dtype("float32")  # bfloat16 and floats of 8 bits and less


def read_value(value: Mapping[str, Any]) -> Any:
    """Returns the value that `lathe run --json` printed: an array, a tuple, a number, a string, or None."""
    kind = value["kind"]
    if kind == "tensor":
        import numpy

        dtype = _dtype(value["dtype"])
        # Infinities and NaN are text in JSON. The kind of the dtypes of ml_dtypes is not "f".
        data = value["data"] if dtype.kind in "biu" else [float(x) for x in value["data"]]
        return numpy.array(data, dtype=dtype).reshape(value["shape"])
    if kind == "tuple":
        return tuple(read_value(field) for field in value["fields"])
    if kind == "scalar":
        number = value["value"]
        return float(number) if isinstance(number, str) else number
    if kind == "shape":
        return tuple(value["dims"])
    if kind == "string":
        return value["text"]
    if kind == "dtype":
        return value["dtype"]
    return None if kind == "null" else value


def write_arrays(path: pathlib.Path, arrays: Mapping[str, Any]) -> None:
    """Writes arrays, or values that numpy converts to arrays, to an .npz file."""
    import numpy

    # numpy.savez takes names as keywords and has some of its own, such as file.
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                numpy.lib.format.write_array(member, numpy.asarray(array), allow_pickle=False)
