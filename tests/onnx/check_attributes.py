#!/usr/bin/env python3
"""Compares attributes.def with the importers of the operators, and with the schemas of ONNX.

Each declared attribute is read by a function that the importer of its operator reaches, or by one
that names the operator. Each read attribute is declared for an operator whose importer reaches the
function that reads it. Declared attributes have the type of the schema. Ends with 77 where Python's
onnx is not installed and nothing else is wrong, since the schemas are not compared then.
"""
import re
import sys
from pathlib import Path

SKIPPED = 77
READER = Path(__file__).resolve().parents[2] / "generator/reader/onnx"
READ = re.compile(r"\b(?:Int|Float|String|Ints|Floats|StringList|GraphAttribute|TensorAttribute|SparseAttribute|HasAttribute|IntsOf)\((?:\d, )?\"(\w+)\"")
# Names that importers put together: "keys_" and "int64s".
PUT_TOGETHER = re.compile(r"(?:keys|values)_(?:\w+)|(?:class|target)_(?:ids|nodeids|treeids|weights)|\w+_as_tensor")
KINDS = {"INT": "int", "FLOAT": "float", "STRING": "string", "INTS": "ints", "FLOATS": "floats", "STRINGS": "strings", "TENSOR": "tensor",
         "GRAPH": "graph", "SPARSE_TENSOR": "sparse_tensor", "TYPE_PROTO": "type"}
# A class, a table or a function: its name and its text.
BLOCK = re.compile(r"^(?:(?:class|struct) (\w+)[^;{]*\{.*?^\};"
                   r"|(?:constexpr|const) [^;()]*?\b(k\w+)\b[^;]*;"
                   r"|[A-Za-z][^\n;]*?\b(\w+)\((?:[^;{}]|\n)*?\)[^;{}\n]*\{(?:\n.*?^\}|[^\n]*\}$))", re.M | re.S)
# Functions that take the place of any importer.
OF_ANY = {"ImportStringMove"}
# Declared attributes that need not be read, and why.
NOT_READ = {
    ("", "Gemm", "broadcast"): "C is broadcast in every version",
    ("", "GroupNormalization", "stash_type"): "sums have at least 32 bits",
    ("", "RMSNormalization", "stash_type"): "sums have at least 32 bits",
    ("", "SimplifiedLayerNormalization", "stash_type"): "sums have at least 32 bits",
    ("", "Range", "stash_type"): "elements have at least 32 bits before they are rounded",
    ("", "TopK", "sorted"): "sorted elements are in one of the orders that 0 allows",
    ("com.microsoft", "Attention", "rotary_embedding_dim"): "rotations are not supported",
    ("com.microsoft", "RotaryEmbedding", "rotary_embedding_dim"): "the tables have this width",
}


def declared():
    rows = re.findall(r'^ONNX_ATTRIBUTES\("([\w.]*)", "(\w+)", "(.*)"\)$', (READER / "attributes.def").read_text(), re.M)
    return {(domain, name): dict(item.split(":") for item in attributes.split()) for domain, name, attributes in rows}


class Calls:
    """Which classes, tables and functions of the reader mention which others."""

    def __init__(self):
        text = "\n".join(path.read_text() for pattern in ("*.cc", "*.h") for path in sorted(READER.rglob(pattern)))
        self.blocks = {}
        for found in BLOCK.finditer(text):
            name = found.group(1) or found.group(2) or found.group(3)
            self.blocks[name] = self.blocks.get(name, "") + found.group(0)
        self.mentions = {name: set(re.findall(r"\b[A-Za-z]\w+\b", block)) & self.blocks.keys() for name, block in self.blocks.items()}
        self.literals = {name: set(re.findall(r'"(\w+)"', block)) for name, block in self.blocks.items()}

    def reached(self, names):
        seen, left = set(), [name for name in names if name in self.blocks]
        while left:
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left += self.mentions[name]
        return seen

    def of_operator(self, operator, importer):
        return self.reached([importer] + [name for name, words in self.literals.items() if operator in words])


def unread(rows):
    """What is read and not declared, or declared and not read."""
    calls, wrong = Calls(), []
    operators = re.findall(r'^ONNX_OP\("([\w.]*)", "(\w+)",.*?, (\w+)(?:, Folds::\w+)?\)$', (READER / "operators.def").read_text(), re.M)
    declared_at = {}
    for domain, operator, importer in operators:
        reached, attributes = calls.of_operator(operator, importer) | OF_ANY, rows.get((domain, operator), {})
        literals = set().union(*(calls.literals[name] for name in reached))
        for name in attributes:
            if name not in literals and not PUT_TOGETHER.fullmatch(name) and (domain, operator, name) not in NOT_READ:
                wrong.append("'%s' of %s is declared, and %s does not read it" % (name, operator, importer))
        for name in reached:
            declared_at.setdefault(name, set()).update(attributes)
    for name, block in sorted(calls.blocks.items()):
        for attribute in sorted(set(READ.findall(block)) - declared_at.get(name, set())):
            wrong.append("'%s' is read by %s, and declared for no operator that it serves" % (attribute, name))
    for domain, operator in sorted(rows.keys() - {(domain, operator) for domain, operator, _ in operators}):
        wrong.append("%s has attributes, and is no operator" % operator)
    return wrong


def unlike_schemas(rows):
    """The attributes whose types are not those of the schemas, or None without them."""
    try:
        import onnx.defs
    except ImportError:
        return None
    known, wrong = {}, []
    for schema in onnx.defs.get_all_schemas_with_history():
        for name, attribute in schema.attributes.items():
            known.setdefault((schema.domain, schema.name), {})[name] = KINDS[str(attribute.type).split(".")[-1]]
    for operator, attributes in rows.items():
        for name, kind in attributes.items() if operator in known else ():
            if known[operator].get(name) != kind:
                wrong.append("%s of %s is %s in ONNX, not %s" % (name, operator[1], known[operator].get(name, "nothing"), kind))
    return wrong


def main():
    rows = declared()
    wrong = unread(rows)
    if list(rows) != sorted(rows):
        wrong.append("the rows are not sorted")
    of_schemas = unlike_schemas(rows)
    wrong += of_schemas or []
    print("\n".join(wrong + ["%d operators with attributes, %d problems" % (len(rows), len(wrong))]))
    if not wrong and of_schemas is None:
        print("skipped: the schemas, since onnx is not installed")
        return SKIPPED
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
