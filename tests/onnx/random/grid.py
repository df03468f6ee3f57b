"""Writes a model for each operator, version and element type that the schemas of ONNX list.

    python3 grid.py FOLDER [--count N] [--seed S] [--only OPERATOR]

Model S is the one of row S of the grid; a seed beyond the grid starts it again with other values.
A row is an operator, the first operator set of one of its versions, a type variable and one of its
types. The model is a node case of the installed `onnx`, with this version and type. Rows that no
node case can be changed to have no model, so there may be fewer than N.
"""
import copy
import random
import re

import ml_dtypes
import numpy as np
import older_forms
import onnx
from changes import Broken, Case, cast_values
from onnx import TensorProto, helper
from vary import LEFT_OUT, arguments, finish, seeds, write_all

MOST_TRIES = 12
WORDS = ("", "a", "b", "word", "zebra", "Word")
NUMBERS = {"tensor(%s)" % name.lower(): number for name, number in TensorProto.DataType.items()}


def grid():
    """The rows: operator, operator set, type variable, type; variable None for operators without."""
    rows = []
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.deprecated or schema.domain or schema.name in LEFT_OUT:
            continue
        read = {i.type_str for i in schema.inputs}
        found = [(c.type_param_str, t) for c in schema.type_constraints
                 if c.type_param_str in read for t in c.allowed_type_strs if t in NUMBERS]
        for variable, type_name in sorted(found) or [(None, None)]:
            rows.append((schema.name, schema.since_version, variable, type_name))
    return sorted(rows, key=str)


def converted(array, number, rng):
    """The values as elements of another type; of strings, words."""
    if number == TensorProto.STRING:
        return np.array([rng.choice(WORDS) for _ in range(array.size)], object).reshape(array.shape)
    dtype = helper.tensor_dtype_to_np_dtype(number)
    if array.dtype.kind in "OU":
        array = np.arange(array.size, dtype=np.float32).reshape(array.shape) % 7
    if number in (TensorProto.INT4, TensorProto.UINT4, TensorProto.INT2, TensorProto.UINT2):
        limits = ml_dtypes.iinfo(dtype)
        whole = np.rint(np.nan_to_num(array.astype(np.float64)))
        return np.clip(whole, limits.min, limits.max).astype(dtype)
    if array.dtype.isbuiltin != 1:
        array = array.astype(np.float32)
    if number == TensorProto.FLOAT16 and array.dtype.kind in "iuf":
        array = np.clip(array.astype(np.float64), -65504, 65504)
    return cast_values(array, dtype)


def change(case, operator, opset, variable, type_name, rng):
    """Gives the node of `operator` the version, and its inputs of the type variable the type."""
    for entry in case.model.opset_import:
        if entry.domain == "":
            entry.version = opset
    node = next(n for n in case.graph.node if n.op_type == operator)
    schema = case.schema(node)
    older_forms.use_older_form(case, node, opset)
    if schema.since_version != opset:
        raise Broken("another version")
    formals = [schema.inputs[min(i, len(schema.inputs) - 1)] for i in range(len(node.input))]
    names = [name for formal, name in zip(formals, node.input) if name and formal.type_str == variable]
    if operator == "Attention" and "int" in type_name:
        raise Broken("a mask of integers, which ONNX does not define")
    if variable is not None and not names:
        raise Broken("no input of the type variable")
    for name in names:
        if name not in case.tensors():
            raise Broken("an input that is not a tensor")
        array = case.inputs[name]
        array = converted(array, NUMBERS[type_name], rng)
        if "zero_point" in name and "float" in type_name:
            array = np.zeros_like(array)  # floats have no other
        value = next(v for v in case.graph.input if v.name == name)
        older_forms.use_type_in_bodies(node, value.type.tensor_type.elem_type, NUMBERS[type_name])
        value.CopyFrom(helper.make_tensor_value_info(name, NUMBERS[type_name], array.shape))
        case.inputs[name] = array
    # Attributes that name an element type, as that of Cast, are those of the node case.
    finish(case)


def model_of(row, seed, cases):
    """The case of the row, or nothing."""
    operator, opset, variable, type_name = row
    rng = random.Random(seed)
    of_operator = [c for c in cases if any(n.op_type == operator for n in c.graph.node)]
    plain = [c for c in of_operator if len(c.graph.node) == 1] or of_operator
    rng.shuffle(plain)
    for source in plain[:MOST_TRIES]:
        case = Case(source.name, copy.deepcopy(source.model), dict(source.inputs))
        try:
            change(case, operator, opset, variable, type_name, rng)
            return case
        except Broken:
            continue
    return None


def main():
    args = arguments()
    cases = seeds()
    rows = [row for row in grid() if not args.only or row[0] == args.only]

    def make(seed):
        row = rows[seed % len(rows)]
        stem = "%s_v%d_%s" % (row[0], row[1], re.sub(r"tensor\((.*)\)", r"\1", row[3] or ""))
        return stem, model_of(row, seed, cases)

    write_all(args, make)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
