"""Programs at a limit, and one above it: a row for each limit that a program can reach."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "hostile"))
from onnx_bytes import *  # noqa: E402,F403: its words are what the models are written in

HEAD = "from tvm.script import ir as I, relax as R, tir as T\n@I.ir_module\nclass M:\n"
FOUR = 'R.Tensor((4,), "float32")'


class Row:
    """`make(n)` is the program with n of what there may be `most` of: text, or an ONNX model's bytes."""
    def __init__(self, file, constant, most, make, says, verb="check", codes=(4,), more=()):
        self.file, self.constant, self.most, self.make = file, constant, most, make
        self.says, self.codes, self.verb, self.more = says, codes, verb, list(more)

    def write(self, folder, n):
        program = self.make(n)
        relay = isinstance(program, str) and program.startswith("#[version")
        self.name = "m.onnx" if isinstance(program, bytes) else "m.relay" if relay else "m.py"
        data = program if isinstance(program, bytes) else program.encode()
        (folder / self.name).write_bytes(data)

    @property
    def words(self):
        tail = ["-o", "out", "-n", "net"] if self.verb == "compile" else []
        return [self.verb, self.name] + tail + self.more

    @staticmethod
    def value_of(text):
        """The number that C++ writes so."""
        text = text.replace("'", "").replace("int64_t{", "(").replace("uint64_t{", "(").replace("size_t{", "(")
        return int(eval(text.replace("}", ")")))  # noqa: S307: of this repository


def relax(body, params="x: " + FOUR, result="", before=""):
    lines = "".join("        %s\n" % line for line in body)
    return "%s%s    @R.function\n    def main(%s)%s:\n%s" % (HEAD, before, params, result, lines)


RELAY = '#[version = "0.0.5"]\n'


def relay_depth(n):
    return RELAY + "type T { C(%sint32%s) }\ndef @main() { 1 }\n" % ("(" * (n - 1), ")" * (n - 1))


def relay_rank(n):
    return RELAY + "def @main(%%x: Tensor[(%s), float32]) { %%x }\n" % ", ".join(["1"] * n)


def relay_instances(n):
    calls = "".join("  let %%x%d = @id(zeros(shape=[%d], dtype=\"bool\"));\n" % (i, i) for i in range(1, n + 2))  # the first is free
    return RELAY + "def @id[A](%%x: A) -> A { %%x }\ndef @main() {\n%s  %%x1\n}\n" % calls


def rank_of_shape(n):
    return relax(["return R.exp(x)"], "x: R.Tensor((%s), \"float32\")" % ("1, " * n))


def rank_of_result(n):
    axes = ", ".join(map(str, range(1, n)))
    return relax(["y = R.expand_dims(x, axis=[%s])" % axes, "return y"])


def nested_tuples(n):
    lines = ["y0 = (x,)"] + ["y%d = (y%d,)" % (i, i - 1) for i in range(1, n - 1)]
    return relax(lines + ["return x"])


def scalar_of(n):
    """A size whose expression has n operations and names, or one fewer: each operation adds a name."""
    wanted, lines, sizes = (n - 1) // 2, ["k0 = R.prim_value(n + n)"], [1]
    while 2 * sizes[-1] + 1 <= wanted:
        lines.append("k%d = R.prim_value(k%d + k%d)" % (len(sizes), len(sizes) - 1, len(sizes) - 1))
        sizes.append(2 * sizes[-1] + 1)
    last, have = "k%d" % (len(sizes) - 1), sizes[-1]
    for j in range(len(sizes) - 1, -1, -1):
        while have + sizes[j] + 1 <= wanted:
            lines.append("s%d = R.prim_value(%s + k%d)" % (len(lines), last, j))
            last, have = lines[-1].split(" ")[0], have + sizes[j] + 1
    while have < wanted:
        lines.append("s%d = R.prim_value(%s + n)" % (len(lines), last))
        last, have = lines[-1].split(" ")[0], have + 1
    return relax(lines + ["return R.shape([%s])" % last], 'n: R.Prim("int64")', " -> R.Shape(ndim=1)")


def global_infos(n):
    infos = ", ".join(["I.dummy_global_info()"] * n)
    return relax(["return R.exp(x)"], before="    I.module_global_infos({\"dummy\": [%s]})\n" % infos)


def chained_prim_funcs(n):
    """PrimFuncs that call each other, n deep with the first."""
    text = HEAD
    for i in range(n - 1):
        last = "        A[0] = T.float32(1)\n" if i == n - 2 else "        M.f%d(A.data)\n" % (i + 1)
        text += ("    @T.prim_func\n    def f%d(a: T.handle(\"float32\")):\n        A = T.decl_buffer((1,), \"float32\", data=a)\n%s"
                 % (i, last))
    return text + ("    @T.prim_func\n    def top(A: T.Buffer((1,), \"float32\")):\n        M.f0(A.data)\n"
                   "    @R.function\n    def main():\n        y = R.call_tir(M.top, (), R.Tensor((1,), \"float32\"))\n"
                   "        return y\n")


def threads(n):
    return HEAD + ("    @T.prim_func\n    def f(B: T.Buffer((%d,), \"float32\")):\n"
                   "        for i in T.thread_binding(%d, thread=\"threadIdx.x\"):\n"
                   "            B[i] = T.float32(1)\n            T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
                   "    @R.function\n    def main():\n        y = R.call_tir(M.f, (), R.Tensor((%d,), \"float32\"))\n"
                   "        return y\n") % (n, n, n)


def lanes(n):
    return HEAD + ("    @T.prim_func\n    def f(B: T.Buffer((%d,), \"float32\")):\n"
                   "        B[0:%d] = T.Broadcast(T.float32(1), %d)\n"
                   "    @R.function\n    def main():\n        y = R.call_tir(M.f, (), R.Tensor((%d,), \"float32\"))\n"
                   "        return R.sum(y)\n") % (n, n, n, n)


def shape_of_tensor(n):
    values = ", ".join(["1"] * n)
    return relax(["s = R.tensor_to_shape(R.const([%s], \"int64\"))" % values, "return s"], params="")


def printed_depth(n):
    lines = ["y0 = (R.const(1.0, \"float32\"),)"] + ["y%d = (y%d,)" % (i, i - 1) for i in range(1, n)]
    return relax(lines + ["return y%d" % (n - 1)], params="")


def printed_values(n):
    """A tuple with n values in it: its fields, which are shared, and what is in them."""
    lines = ["t0 = R.const(1, \"int64\")", "c = (%s)" % ("t0, " * 99), "d = (%s)" % ("c, " * 99)]
    whole, rest = divmod(n, 1 + 99 * 100)  # d has those
    lines.append("e = (%s%s)" % ("d, " * whole, "t0, " * rest))
    return relax(lines + ["return e"], params="")


def grid_of(n):
    """Statements in statements, n deep: the function's body, loops, and a store."""
    n -= 2
    names = ["i%d" % i for i in range(n)]
    return HEAD + ("    @T.prim_func\n    def main(A: T.Buffer((1,), \"float32\")):\n        for %s in T.grid(%s):\n"
                   "            A[0] = T.float32(1)\n") % (", ".join(names), ", ".join(["1"] * n))


def parts_of_split(n):
    return relax(["y = R.split(x, %d)" % n, "return y"], "x: R.Tensor((%d,), \"float32\")" % n)


def parts_of_value(n):
    """A tuple of n parts."""
    lines = ["t0 = R.exp(x)", "c = (%s)" % ("t0, " * 256), "d = (%s)" % ("c, " * 255)]
    lines.append("e = (d, %s)" % ("t0, " * (n - 255 * 256)))
    return relax(lines + ["return x"])


def iterations_of_loop(n):
    body = graph([node("Less", ["i", "k"], ["on"]), node("Add", ["v", "v"], ["w"])],  # a condition: unrolled
                 [info("i", INT64), info("go", BOOL), info("v", FLOAT, (1,))], [chunk(1, "on"), chunk(1, "w"), chunk(1, "w")])
    loop = node("Loop", ["k", "", "x"], ["y", "all"], body=("graph", body))
    return model(graph([loop], [info("x", FLOAT, (1,))], [chunk(1, "y")], [int64s("k", [n], [])]))


def calls_of_functions(n):
    nodes = [node("F", ["x" if i == 0 else "t%d" % (i - 1)], ["t%d" % i], domain="d") for i in range(n)]
    return model(graph(nodes, [info("x", FLOAT, (4,))], [chunk(1, "t%d" % (n - 1))]),
                 functions=[function("F", ["a"], ["b"], [node("Neg", ["a"], ["b"])], "d")])


def letters(n):
    equation = "ij,jk->ik"
    return simple("Einsum", ["x", "x"], dims=(3, 3), equation=equation + " " * (n - len(equation)))


def pieces_of_sequence(n):
    return model(graph([node("SplitToSequence", ["x", "one"], ["s"], axis=0), node("SequenceLength", ["s"], ["y"])],
                       [info("x", FLOAT, (n, 1))], [chunk(1, "y")], [int64s("one", [1], [])]))


def called(n):
    """Functions of a model that call each other, n calls deep with the graph."""
    functions = []
    for i in range(n):
        inner = node("Neg", ["a"], ["b"]) if i == n - 1 else node("F%d" % (i + 1), ["a"], ["b"], domain="d")
        functions.append(function("F%d" % i, ["a"], ["b"], [inner], "d"))
    return model(graph([node("F0", ["x"], ["y"], domain="d")], [info("x", FLOAT, (4,))], [chunk(1, "y")]),
                 functions=functions)


def onnx_rank_of_input(n):
    return model(graph([node("Abs", ["x"], ["y"])], [info("x", FLOAT, (1,) * n)], [chunk(1, "y")]))


def onnx_bytes_of_tensor(n):
    # Of bytes, so that one more is one more; as sizes whose product is n.
    big = 1 << 30
    dims = (big, n // big) if n % big == 0 else (n,)
    return model(graph([node("BitwiseNot", ["x"], ["y"])], [info("x", UINT8, dims)], [chunk(1, "y")]))


TEXT = "reader/relax_text/syntax/limits.h"
ONNX = "reader/onnx/format/limits.h"
INTERP = "interp/data/limits.h"


def rows():
    return [
        Row(TEXT, "kMaxDims", 64, rank_of_shape, "limit-dimensions"),
        Row(TEXT, "kMaxStmtDepth", 200, grid_of, "limit-nesting"),
        Row(TEXT, "kMaxScalarNodes", 1000, scalar_of, "limit-scalar-size"),
        Row(TEXT, "kMaxGlobalInfos", 1000, global_infos, "limit-global-infos"),
        Row("analysis/derive/derivation.cc", "kMaxRank", 64, rank_of_result, "limit-dimensions"),
        Row("analysis/derive/derivation.h", "kMaxInfoDepth", 500, nested_tuples, "limit-nesting"),
        Row("ops/concat.cc", "kMaxSections", 4096, parts_of_split, "4096", codes=(2, 3, 4)),
        Row("lower/structure_of.h", "kMaxPartsOfValue", 65536, parts_of_value, "65536", "compile", codes=(3,)),
        Row(INTERP, "kMaxPrimFuncDepth", 100, chained_prim_funcs, "100", "run"),
        Row(INTERP, "kMaxThreads", 1024, threads, "1024", "run", codes=(3, 4)),
        Row(INTERP, "kMaxLanes", 4096, lanes, "4096", "run", codes=(3, 4)),
        Row(INTERP, "kMaxRank", 64, shape_of_tensor, "64", "run", codes=(2, 3, 4, 6)),
        Row(INTERP, "kMaxValueDepth", 200, printed_depth, "run-result-limit", "run"),
        Row(INTERP, "kMaxWrittenValues", 100000, printed_values, "run-result-limit", "run"),
        Row(ONNX, "kMaxRank", 32, onnx_rank_of_input, "32 dimensions", codes=(2, 4)),
        Row(ONNX, "kMaxDepth", 40, called, "onnx-limit"),
        Row(ONNX, "kMaxTensorBytes", 64 << 30, onnx_bytes_of_tensor, "64 GiB"),
        Row(ONNX, "kMaxCalls", 20000, calls_of_functions, "onnx-limit"),
        Row("reader/relay_text/syntax/limits.h", "kMaxDepth", 200, relay_depth, "relay-limit"),
        Row("reader/relay_text/syntax/limits.h", "kMaxRank", 32, relay_rank, "relay-limit"),
        Row("reader/relay_text/translate/translate.cc", "kMaxInstances", 2000, relay_instances, "relay-limit"),
        Row("reader/onnx/unroll_loop.h", "kMaxUnrolledIterations", 4096, iterations_of_loop, "iteration", codes=(3, 4)),
        Row("reader/onnx/ops/products.cc", "kMaxLetters", 500, letters, "500", codes=(2, 3, 4)),
        Row("reader/onnx/ops/sequences.cc", "kMaxParts", 4096, pieces_of_sequence, "4096", codes=(3,)),
    ]
