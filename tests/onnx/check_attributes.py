#!/usr/bin/env python3
"""Compares attributes.def with the importers, and with the schemas of ONNX where Python's onnx is installed.

Each attribute that an importer reads is declared for an operator, each declared one is read, and has the type of the schema.
"""
import re
import sys
from pathlib import Path

READER = Path(__file__).resolve().parents[2] / "generator/reader/onnx"
READ = re.compile(r"\b(?:Int|Float|String|Ints|Floats|StringList|GraphAttribute|TensorAttribute|SparseAttribute|HasAttribute|IntsOf)\((?:\d, )?\"(\w+)\"")
# Names that importers put together: "keys_" and "int64s".
PUT_TOGETHER = re.compile(r"(?:keys|values)_(?:\w+)|(?:class|target)_(?:ids|nodeids|treeids|weights)|\w+_as_tensor")
KINDS = {"INT": "int", "FLOAT": "float", "STRING": "string", "INTS": "ints", "FLOATS": "floats", "STRINGS": "strings", "TENSOR": "tensor",
         "GRAPH": "graph", "SPARSE_TENSOR": "sparse_tensor", "TYPE_PROTO": "type"}


def declared():
    rows = re.findall(r'^ONNX_ATTRIBUTES\("([\w.]*)", "(\w+)", "(.*)"\)$', (READER / "attributes.def").read_text(), re.M)
    return {(domain, name): dict(item.split(":") for item in attributes.split()) for domain, name, attributes in rows}


def main():
    text = "".join(path.read_text() for path in sorted(READER.rglob("*.cc")))
    rows = declared()
    names = {attribute for attributes in rows.values() for attribute in attributes}
    literals = set(re.findall(r'"(\w+)"', text))
    wrong = ["'%s' is read, and declared for no operator" % name for name in sorted(set(READ.findall(text)) - names)]
    wrong += ["'%s' is declared, and not read" % name for name in sorted(names - literals) if not PUT_TOGETHER.fullmatch(name)]
    if list(rows) != sorted(rows):
        wrong.append("the rows are not sorted")
    try:
        import onnx.defs
    except ImportError:
        print("without the schemas: onnx is not installed")
    else:
        known = {}
        for schema in onnx.defs.get_all_schemas_with_history():
            for name, attribute in schema.attributes.items():
                known.setdefault((schema.domain, schema.name), {})[name] = KINDS[str(attribute.type).split(".")[-1]]
        for operator, attributes in rows.items():
            for name, kind in attributes.items() if operator in known else ():
                if known[operator].get(name) != kind:
                    wrong.append("%s of %s is %s in ONNX, not %s" % (name, operator[1], known[operator].get(name, "nothing"), kind))
    print("\n".join(wrong + ["%d operators with attributes, %d problems" % (len(rows), len(wrong))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
