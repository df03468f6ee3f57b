"""Examples of the operators of TFLite: small models of the tests' grid, and some of their own."""
import struct
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests/tflite"
sys.path.insert(0, str(TESTS))
from flexbuffer_writer import flexbuffer  # noqa: E402
from grid.families import FAMILIES, cases_of  # noqa: E402
from model_writer import CUSTOM, OPTION_TABLES, Model, Operator, Subgraph, Tensor, options  # noqa: E402

ADD, LESS = 0, 58
DRAWN = 8  # cases of a family, of which the one is shown whose number of elements is nearest to ENOUGH
ENOUGH = 24

POSITIONS = ("int32", "int64")
FIRST_IS_POSITION = (7, 122)  # EMBEDDING_LOOKUP, SCATTER_ND


def ints(*values):
    return struct.pack("<%di" % len(values), *values)


def with_branches():
    """IF: one graph adds a number to its input, the other one multiplies by it."""
    choice, x, y = Tensor("choice", [], "bool"), Tensor("x", [4]), Tensor("y", [4])
    graphs = []
    for code, table in ((ADD, 11), (18, 21)):
        a, b = Tensor("a", [4]), Tensor("b", [4])
        two = Tensor("two", [1], data=struct.pack("<f", 2))
        graphs.append(Subgraph([a], [b], [Operator(code, [a, two], [b], options(table))]))
    return Model([Subgraph([choice, x], [y], [Operator(118, [choice, x], [y], options(92, then_subgraph=1, else_subgraph=2))])] + graphs)


def with_loop():
    """WHILE: doubles its input three times."""
    i, go, ignored = Tensor("i", [1], "int32"), Tensor("go", [1], "bool"), Tensor("x", [4])
    limit, one = (Tensor(n, [1], "int32", data=ints(v)) for n, v in (("limit", 3), ("one", 1)))
    condition = Subgraph([i, ignored], [go], [Operator(LESS, [i, limit], [go])])
    j, k, a, b = Tensor("i", [1], "int32"), Tensor("next", [1], "int32"), Tensor("a", [4]), Tensor("b", [4])
    body = Subgraph([j, a], [k, b], [Operator(ADD, [j, one], [k], options(11)), Operator(ADD, [a, a], [b], options(11))])
    start, count = Tensor("start", [1], "int32", data=ints(0)), Tensor("count", [1], "int32")
    x, y = Tensor("x", [4]), Tensor("y", [4])
    return Model([Subgraph([x], [y], [Operator(119, [start, x], [count, y], options(93, cond_subgraph=1, body_subgraph=2))]), condition, body])


def with_call():
    x, y, a, b = (Tensor(n, [4]) for n in "xyab")
    return Model([Subgraph([x], [y], [Operator(31, [x], [y], options(16, subgraph=1))]),
                  Subgraph([a], [b], [Operator(ADD, [a, a], [b], options(11))])])


def with_variable():
    """A sum of all inputs so far, which a graph that runs once sets to zero."""
    x, y, old = Tensor("x", [4]), Tensor("y", [4]), Tensor("old", [4])
    zero, own, other = Tensor("zero", [4], data=bytes(16)), Tensor("sum", [], "resource"), Tensor("sum", [], "resource")
    named = options(111, container="", shared_name="sum")
    main = Subgraph([x], [y], [Operator(129, [], [], options(103, init_subgraph=1)), Operator(142, [], [own], named),
                               Operator(143, [own], [old]), Operator(ADD, [x, old], [y], options(11)), Operator(144, [own, y], [])])
    return Model([main, Subgraph([], [], [Operator(142, [], [other], named), Operator(144, [other, zero], [])])])


def with_fake_quant():
    x, y = Tensor("x", [4]), Tensor("y", [4])
    return Model([Subgraph([x], [y], [Operator(80, [x], [y], options(58, min=-1.0, max=1.0, num_bits=8))])])


def with_dense():
    x, y, w = Tensor("x", [4]), Tensor("y", [4]), Tensor("w", [4], data=struct.pack("<4f", 0, 1, 0, 2))
    dense = Tensor("dense", [4])
    return Model([Subgraph([x], [y], [Operator(124, [w], [dense]), Operator(ADD, [x, dense], [y], options(11))])])


def with_buffer():
    x, y = Tensor("x", [1, 1, 1, 4], "int8", 0.5, 0), Tensor("y", [1, 3, 1, 4], "int8", 0.5, 0)
    return Model([Subgraph([x], [y], [Operator(CUSTOM, [x], [y], None, "CIRCULAR_BUFFER", flexbuffer({"cycles_max": 1}))])])


def with_rank():
    x, y, rank = Tensor("x", [2, 3]), Tensor("y", [2, 3]), Tensor("rank", [], "int32")
    return Model([Subgraph([x], [rank, y], [Operator(110, [x], [rank], options(86)), Operator(ADD, [x, x], [y], options(11))])])


OWN = {"RANK": with_rank, "CALL": with_call, "IF": with_branches, "WHILE": with_loop, "CALL_ONCE": with_variable, "VAR_HANDLE": with_variable,
       "READ_VARIABLE": with_variable, "ASSIGN_VARIABLE": with_variable, "FAKE_QUANT": with_fake_quant, "DENSIFY": with_dense,
       "CIRCULAR_BUFFER": with_buffer}


def distance_of(case):
    elements = 0
    for tensor in [t for t in case.operator.inputs if t is not None] + case.outputs:
        count = 1
        for size in tensor.shape:
            count *= size
        elements += count if count else 1 << 20  # nothing to see
    return abs(elements - ENOUGH)


def model_of(case):
    operator = case.operator
    if case.bodies:
        operator.options = case.options_of(1)
    for i, tensor in enumerate(t for t in operator.inputs if t is not None):
        tensor.name = "x%d" % i
    if operator.code in FIRST_IS_POSITION:
        case.feeds[0].data = case.feeds[0].feed
    # Integers beside other elements are positions or sizes, which random numbers are not.
    if any(t.dtype not in POSITIONS for t in case.feeds):
        for tensor in case.feeds:
            if tensor.dtype in POSITIONS:
                tensor.data = tensor.feed
    for i, tensor in enumerate(case.outputs):
        tensor.name = "y%d" % i if i else "y"
    return Model([Subgraph([t for t in case.feeds if t.data is None], case.outputs, [operator])] + case.bodies)


def small_cases():
    """A case of the first family of each operator, by code and name."""
    found = {}
    for family in FAMILIES:
        first = cases_of(family, 1)[0].operator
        key = (first.code, first.custom)
        if key not in found:
            found[key] = min(cases_of(family, DRAWN), key=distance_of)
    return found


def number_text(value):
    return "%g" % value if isinstance(value, float) else str(value)


def tensor_text(tensor):
    out = "%s[%s] %s" % (tensor.dtype, ",".join(map(str, tensor.shape)), tensor.name)
    if tensor.scale and len(tensor.scale) == 1:
        out += ", scale %g, zero point %d" % (tensor.scale[0], tensor.zero[0] if tensor.zero else 0)
    elif tensor.scale:
        out += ", %d scales along axis %d" % (len(tensor.scale), tensor.axis or 0)
    return out


def options_text(table):
    if table is None:
        return ""
    names = [field.split(":")[0] for field in OPTION_TABLES.get(table.number, ())]
    given = []
    for slot, value in sorted(table.table.fields.items()):
        value = value[1] if isinstance(value, tuple) else getattr(value, "values", value)
        if isinstance(value, (list, tuple)):
            value = "[%s]" % ", ".join(map(number_text, value))
        elif isinstance(value, (int, float, str)):
            value = '"%s"' % value if isinstance(value, str) else number_text(value)
        else:
            value = "..."
        given.append("%s=%s" % (names[slot], value))
    return " {%s}" % ", ".join(given)


def text_of(model, names):
    """The tensors and operators of a model, in lines."""
    lines = []
    for number, graph in enumerate(model.subgraphs):
        indent = "  " if number else ""
        if number:
            lines.append("subgraph %d" % number)
        lines += ["%sinput %s" % (indent, tensor_text(t)) for t in graph.inputs]
        known = {id(t) for t in graph.inputs}
        for operator in graph.operators:
            for tensor in [t for t in operator.inputs if t is not None]:
                if id(tensor) not in known:
                    known.add(id(tensor))
                    kind = "constant" if tensor.data is not None else "variable" if tensor.variable else ""
                    lines += ["%s%s %s" % (indent, kind, tensor_text(tensor))] if kind else []
            known.update(id(t) for t in operator.outputs)
            results = ", ".join(tensor_text(t).split(",  ")[0] for t in operator.outputs)
            name = operator.custom or names[operator.code]
            lines.append("%s%s%s(%s)%s" % (indent, results + " = " if results else "", name,
                                           ", ".join(t.name if t is not None else "-" for t in operator.inputs), options_text(operator.options)))
    return "\n".join(lines) + "\n"


def examples(rows):
    """(text, bytes) of each supported operator; `rows` are those of `lathe ops --from tflite --json`."""
    cases, found = small_cases(), {}
    names = {row["number"]: row["name"] for row in rows if row["number"] != CUSTOM}
    for row in rows:
        if not row["supported"]:
            continue
        name = row["name"]
        key = (CUSTOM, name) if row["number"] == CUSTOM else (row["number"], "")
        if name in OWN:
            model = OWN[name]()
        elif key in cases:
            model = model_of(cases[key])
        else:
            continue
        found[name] = (text_of(model, names), model.write())
    return found
