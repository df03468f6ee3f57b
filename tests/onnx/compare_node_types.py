#!/usr/bin/env python3
"""Compares the dtypes that the writer takes for defined with those of the installed ONNX: compare_node_types.py TABLE

TABLE is generator/writer/onnx/node_types.def. Prints each operand and result whose dtypes differ, and ends with 1 if there are
any; with 77 where Python's onnx is missing.
"""
import pathlib
import re
import sys

SKIPPED = 77
try:
    import onnx.defs
except ImportError:
    print("skipped: onnx is missing")
    sys.exit(SKIPPED)

FIRST, SECOND = 20, 21  # operator sets
FLOATS = {"float", "double", "float16"}
WORDS = {"int32", "int64", "uint32", "uint64"}
BYTES = {"int8", "uint8"}
OTHER_INTEGERS = {"int16", "uint16"}
REALS = FLOATS | {"bfloat16"}
INTEGERS = WORDS | BYTES | OTHER_INTEGERS
SETS = {
    "kNone": set(), "kBool": {"bool"}, "kInt32": {"int32"}, "kFloats": FLOATS, "kReals": REALS,
    "kShortReals": {"float", "float16", "bfloat16"}, "kBytes": BYTES, "kSigned": {"int8", "int16", "int32", "int64"},
    "kSignedWords": {"int32", "int64"}, "kIntegers": INTEGERS, "kNumbers": REALS | INTEGERS,
    "kWideNumbers": REALS | WORDS, "kAll": REALS | INTEGERS | {"bool"},
    "kRanges": {"float", "double", "int16", "int32", "int64"}, "kFourBits": {"int4", "uint4"},
    "kQuantized": BYTES | {"int32"}, "kQuantizedTo": BYTES, "kOtherQuantized": {"int4", "uint4"} | OTHER_INTEGERS,
}
KNOWN = set().union(*SETS.values())
FIXED = {"B": {"bool"}, "L": {"int64"}, "I": {"int32", "int64"}}
# Where the table has fewer: indices are always written as int64.
NARROWER = {"OneHot", "Slice"}


def rows(table):
    text = pathlib.Path(table).read_text(encoding="utf-8")
    found = re.findall(r'^NODE\("(\w+)", "([A-Z*]*)", "([A-Z*]*)", ([^,]+), ([^,]+), (\w+)\)$', text, re.MULTILINE)
    assert len(found) == len(re.findall(r"^NODE", text, re.MULTILINE)), "a row of another form"
    return found


def union(names):
    return set().union(*(SETS[name.strip()] for name in names.split("|")))


def allowed(schema, type_str):
    """The dtypes of a variable of the schema, or of a type."""
    constraints = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    names = (re.fullmatch(r"tensor\((\w+)\)", text) for text in constraints.get(type_str, [type_str]))
    return {name.group(1) for name in names if name} & KNOWN


def differences(op, letters, formals, schema, sets):
    repeats = letters.endswith("*")
    letters = letters.rstrip("*")
    variables = {}
    if len(letters) > len(formals):
        yield f"{op} has {len(formals)} operands or results, not {len(letters)}"
    for i, (letter, formal) in enumerate(zip(letters, formals)):
        if letter == "X":
            continue
        ours, theirs = FIXED.get(letter, sets.get(letter)), allowed(schema, formal.type_str)
        if not (ours == theirs or (ours < theirs and letter in FIXED and op in NARROWER)):
            yield f"{op}: {formal.name} has {sorted(theirs)}, not {sorted(ours)}"
        if letter in "TU" and variables.setdefault(formal.type_str, letter) != letter:
            yield f"{op}: {formal.name} has the dtype of another operand"
    if repeats and formals[len(letters) - 1].option != onnx.defs.OpSchema.FormalParameterOption.Variadic:
        yield f"{op}: {formals[len(letters) - 1].name} does not repeat"


def main():
    wrong, checked = [], 0
    names = []
    for op, operands, results, first, second, later in rows(sys.argv[1]):
        names.append(op)
        for opset in (FIRST, SECOND):
            schema = onnx.defs.get_schema(op, opset)
            sets = {"T": union(first) | (union(later) if opset == SECOND else set()), "U": union(second)}
            checked += 1
            for side, formals in ((operands, schema.inputs), (results, schema.outputs)):
                wrong += [f"operator set {opset}: {text}" for text in differences(op, side, formals, schema, sets)]
    if names != sorted(names):
        wrong.append("the rows are not sorted")
    print("\n".join(wrong) or f"{checked} rows agree with ONNX {onnx.__version__}")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    raise SystemExit(main())
