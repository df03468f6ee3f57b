"""What the programs of a pair are run on: shapes, files of numbers that both can take.

pairs_inputs.list says what the tensors and sizes of some pairs must be, where a test says so:

    NAME  PARAMETER  EXPRESSION

NAME is the pair's, or that of its file without the lines. EXPRESSION is Python, of the element's indices
i0, i1, ... and its number i; for a size or a scalar it is the value. PARAMETER[2,3] has that shape where
the programs do not say which.
"""
import ast
import math
import pathlib
import re
import struct

GIVEN = pathlib.Path(__file__).with_name("pairs_inputs.list")
NPY_CODES = {"float64": "d", "float32": "f", "float16": "e", "int64": "q", "int32": "i",
             "int16": "h", "int8": "b", "uint8": "B", "uint32": "I", "uint64": "Q", "bool": "?"}


def write_npy(path, dtype, shape, values):
    code = NPY_CODES[dtype]
    kind = "b" if dtype == "bool" else dtype[0]
    header = f"{{'descr': '<{kind}{struct.calcsize(code)}', 'fortran_order': False, " \
             f"'shape': ({''.join(f'{d},' for d in shape)})}}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(values)}{code}", *values))


def shape_names(annotation):
    """The shape of every tensor in an annotation, as far as it is written: names and numbers."""
    shapes = []
    for node in ast.walk(ast.parse(annotation.strip() or "None", mode="eval")):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).split(".")[-1] in (
                "Tensor", "Buffer", "Shape", "match_buffer"):
            first = node.args[0]
            dims = first.elts if isinstance(first, (ast.Tuple, ast.List)) else []
            shape = []
            for dim in dims:
                if isinstance(dim, ast.Call) and dim.args:  # T.int64(4)
                    dim = dim.args[0]
                name = dim.id if isinstance(dim, ast.Name) else getattr(dim, "value", None)
                shape.append(name if isinstance(name, int) or str(name).isidentifier() else None)
            shapes.append(shape)
    return shapes


def sizes_of(before, expected):
    """Values for the shape variables and integers of both functions: what one has as a number the
    other gets, variables at one place have one value, and others different ones."""
    values = ({}, {})
    count = 0
    for one, other in zip(before["params"], expected["params"]):
        for left, right in zip(shape_names(one[1]), shape_names(other[1])):
            for a, b in zip(left, right):
                for mine, dim, theirs in ((values[0], a, b), (values[1], b, a)):
                    if isinstance(dim, str) and isinstance(theirs, int):
                        mine.setdefault(dim, theirs)
    for one, other in zip(before["params"], expected["params"]):
        for left, right in zip(shape_names(one[1]), shape_names(other[1])):
            for a, b in zip(left, right):
                known = values[0].get(a) or values[1].get(b)
                if known is None and (isinstance(a, str) or isinstance(b, str)):
                    known, count = 2 + (count * 3 + 1) % 5, count + 1
                if isinstance(a, str):
                    values[0].setdefault(a, known)
                if isinstance(b, str):
                    values[1].setdefault(b, known)
        for mine, (name, annotation) in ((values[0], one), (values[1], other)):
            if INTEGER.fullmatch(annotation):
                mine.setdefault(name, values[0].get(name, 2 + len(name) % 4))
    return values


INTEGER = re.compile(r"""(?:T\.|Tx\.|R\.Prim\(["'])(u?int\d+)(?:["']\))?""")


def small_indices(function, sizes, bound, inputs, folder):
    """Tensors of integers hold what is below `bound` instead: indices of most dimensions."""
    for name, annotation in function["params"]:
        dtype = re.search(r"""["'](u?int(?:64|32|16|8))["']""", annotation)
        shape = (shape_names(annotation) or [[None]])[0]
        shape = [sizes.get(dim, dim) for dim in shape]
        if dtype and all(isinstance(dim, int) for dim in shape):
            values = [n % bound for n in range(math.prod(shape))]
            inputs[name] = folder / f"{name}.below{bound}.npy"
            write_npy(inputs[name], dtype[1], shape, values)


def make_up(message, guess, sizes, inputs, folder):
    """An input for a tensor with no dtype, or no shape (every dimension is 4), or for an object."""
    found = re.search(r"'([\w.]+)' cannot be random:"
                      r"(?: it is)? R\.(?:Tensor\((.*?)\)|Object)(?:;|$)", message)
    if found is None or found[1] in inputs:
        return False
    known = found[2] or ""
    rank = re.search(r"ndim=(\d+)", known)
    dtype = re.search(r'"(\w+)"', known)
    dtype = dtype[1] if dtype else guess
    written = re.match(r"\(([^()]*)\)", known)
    shape = [4] * (int(rank[1]) if rank else 2)
    if written:
        shape = []
        for dim in filter(None, (d.strip() for d in written[1].split(","))):
            for name in re.findall(r"[A-Za-z_]\w*", dim):
                sizes.setdefault(name, 3)
                dim = re.sub(rf"\b{name}\b", str(sizes[name]), dim)
            if not re.fullmatch(r"[\d +*/-]+", dim):
                return False
            shape.append(int(eval(dim)))  # digits and operators only
    if dtype not in NPY_CODES:
        return False
    values = [(n * 7919 + len(found[1])) % 13 for n in range(math.prod(shape))]
    values = [v / 8 - 0.75 if dtype.startswith("float") else v % 4 for v in values]
    inputs[found[1]] = folder / f"{found[1]}.{dtype}.npy"
    write_npy(inputs[found[1]], dtype, shape, values)
    return True


def leaves(params):
    """(name, dtype, shape) of each tensor that the parameters hold, or None where one is not written."""
    found = []

    def visit(name, node):
        kind = ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""
        if kind == "Tuple":
            fields = node.args
            if len(fields) == 1 and isinstance(fields[0], (ast.List, ast.Tuple)):
                fields = fields[0].elts
            for n, field in enumerate(fields):
                visit(f"{name}.{n}", field)
        elif kind == "Tensor":
            text = ast.unparse(node)
            dtype = re.search(r"""["'](%s)["']""" % "|".join(NPY_CODES), text)
            found.append((name, dtype[1] if dtype else "float32", shape_names(text)[0]))
        else:
            found.append(None)

    for name, annotation in params:
        visit(name, ast.parse(annotation.strip() or "None", mode="eval").body)
    return None if None in found else found


def fill(leaf, number, sizes, folder):
    """A file of numbers for the tensor, or None when its shape is not known."""
    name, dtype, shape = leaf
    shape = [sizes.get(dim, dim) for dim in shape]
    if not all(isinstance(dim, int) for dim in shape):
        return None
    values = [(n * 7919 + 5 * number) % 13 for n in range(math.prod(shape))]
    values = [v / 8 - 0.75 if dtype.startswith("float") else v % 2 for v in values]
    path = folder / f"{name}.filled.npy"
    write_npy(path, dtype, shape, values)
    return path


def read_given():
    """pairs_inputs.list: a name -> [(parameter, expression)]."""
    found = {}
    for line in GIVEN.read_text().splitlines():
        if line and not line.startswith("#"):
            name, parameter, expression = line.split(None, 2)
            found.setdefault(name, []).append((parameter, compile(expression, line, "eval")))
    return found


def give(given, functions, sizes, folder):
    """The inputs that are given for these two functions; sizes go to `sizes`, of each its own."""
    inputs = {}
    for parameter, expression in given:
        parameter, _, stated = parameter.partition("[")
        annotations = [a for f in functions for name, a in f["params"] if name == parameter]
        shapes = [shape for a in annotations for shape in shape_names(a)[:1]]
        if not shapes and not stated:
            for side in sizes:
                side[parameter] = eval(expression)  # of pairs_inputs.list, which is ours
            continue
        dims = [next((s[d] for s in sizes if d in s), d) for d in shapes[0]] if shapes else []
        if stated:
            dims = [int(dim) for dim in stated.rstrip("]").split(",")]
        if not annotations or not dims or not all(isinstance(dim, int) for dim in dims):
            continue
        dtype = re.search(r"""["'](%s)["']""" % "|".join(NPY_CODES), annotations[0])
        values = []
        for number in range(math.prod(dims)):
            names, rest = {"i": number}, number
            for axis in reversed(range(len(dims))):
                rest, names[f"i{axis}"] = divmod(rest, dims[axis])
            values.append(eval(expression, {}, names))
        inputs[parameter] = folder / f"{parameter}.given.npy"
        write_npy(inputs[parameter], dtype[1] if dtype else "float32", dims, values)
    return inputs
