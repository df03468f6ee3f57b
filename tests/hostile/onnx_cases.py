"""Malformed ONNX models: each a name, the files, the exit code, and what the message
says. The classes are those that readers of models have been found wanting in."""
import struct

from onnx_bytes import *  # noqa: F403: its words are what the cases are written in

BROKEN, MISSING, LIMIT = (2,), (3,), (4,)
REFUSED = (2, 3, 4)
HUGE = (1 << 63) - 1


class Case:
    def __init__(self, name, data, codes, *says, files=()):
        self.name, self.data, self.codes, self.says, self.files = name, data, codes, says, files


def wire():
    """Invalid or truncated messages."""
    good = simple("Relu", ["x"])
    yield Case("empty", b"", BROKEN, "the file is empty")
    yield Case("text", b"this is no model", BROKEN, "malformed ONNX model")
    yield Case("zeros", bytes(64), BROKEN, "malformed ONNX model")
    yield Case("ones", b"\xff" * 64, BROKEN, "malformed ONNX model")
    yield Case("pickle", b"\x80\x04\x95" + bytes(40), BROKEN, "malformed ONNX model")
    for at in (1, 2, 3, 9, len(good) // 2, len(good) - 9, len(good) - 1):
        yield Case("cut_at_%d" % at, good[:at], REFUSED)
    yield Case("varint_without_end", number(1, 10) + b"\x38" + b"\xff" * 20, BROKEN, "malformed ONNX model")
    yield Case("length_beyond_file", number(1, 10) + b"\x3a\xff\xff\xff\xff\x0f", BROKEN, "malformed ONNX model")
    yield Case("length_wraps", number(1, 10) + b"\x3a" + varint(HUGE), BROKEN, "malformed ONNX model")
    yield Case("field_zero", number(1, 10) + b"\x00\x01", BROKEN, "malformed ONNX model")
    yield Case("groups", number(1, 10) + b"\x0b" * 500, BROKEN, "malformed ONNX model")
    yield Case("graph_as_number", number(1, 10) + number(7, 5), BROKEN, "malformed ONNX model")
    yield Case("graph_as_float", number(1, 10) + real(7, 1.0), BROKEN, "malformed ONNX model")
    yield Case("no_graph", number(1, 10) + opset("", 21), REFUSED)
    yield Case("no_opset", number(1, 10) + chunk(7, graph([])), BROKEN, "operator set version")
    for version in (0, 2, 99, HUGE):
        yield Case("ir_%d" % version, model(graph([]), ir=version), MISSING, "IR version")
    for version in (0, 999, -1, HUGE):
        yield Case("opset_%d" % version, model(graph([]), version), MISSING, "supported: 1 to 28")


def graphs():
    """Graphs with inconsistent parts."""
    x, y = info("x", FLOAT, (2, 3)), chunk(1, "y")
    yield Case("no_outputs", model(graph([node("Relu", ["x"], ["y"])], [x])), BROKEN, "no outputs")
    yield Case("output_of_nothing", model(graph([], [x], [y])), BROKEN, "'y'", "not the result")
    yield Case("unknown_input", simple("Relu", ["z"]), BROKEN, "'z'", "not the result", "Relu")
    yield Case("input_left_out", simple("Relu", [""]), BROKEN, "input 0 is missing", "Relu")
    yield Case("no_inputs", simple("Add", []), BROKEN, "input 0 is missing", "Add")
    yield Case("one_of_two", simple("Add", ["x"]), BROKEN, "input 1 is missing", "Add")
    yield Case("too_many_inputs", simple("Relu", ["x"] * 200), REFUSED + (0,))
    cycle = [node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"])]
    yield Case("cycle", model(graph(cycle, [x], [chunk(1, "b")])), BROKEN, "'b'", "Add")
    yield Case("self", simple("Relu", ["y"]), BROKEN, "'y'", "Relu")
    twice = [node("Relu", ["x"], ["y"]), node("Abs", ["x"], ["y"], "m")]
    yield Case("made_twice", model(graph(twice, [x], [y])), BROKEN, "'y'", "Abs", "'m'")
    yield Case("input_made_again", model(graph([node("Relu", ["x"], ["x"])], [x], [chunk(1, "x")])),
               BROKEN, "'x'", "Relu")
    yield Case("same_input_twice", model(graph([node("Relu", ["x"], ["y"])], [x, x], [y])), BROKEN, "'x'")
    yield Case("more_outputs_than_any",
               model(graph([node("Relu", ["x"], ["y", "z"])], [x], [y])), REFUSED, "'z'", "Relu")
    yield Case("unknown_operator", simple("Frobnicate", ["x"]), MISSING, "'Frobnicate'", "#0 'n'")
    yield Case("empty_operator", simple("", ["x"]), MISSING, "operator ''")
    yield Case("unknown_domain", model(graph([node("Relu", ["x"], ["y"], domain="evil")], [x], [y])),
               MISSING, "'evil'")
    yield Case("input_without_type", model(graph([node("Relu", ["x"], ["y"])], [chunk(1, "x")], [y])),
               MISSING, "'x'")
    yield Case("input_without_shape", model(graph([node("Relu", ["x"], ["y"])],
                                                  [info("x", FLOAT, None)], [y])), MISSING, "'x'")
    for kind in (0, 14, 15, 99, HUGE):
        yield Case("input_of_type_%d" % kind, simple("Relu", ["x"], kind=kind), MISSING, "'x'")
    yield Case("name_not_utf8", model(graph([node("Relu", [b"\xff\xfe"], ["y"])], [x], [y])), BROKEN, "Relu")
    yield Case("name_with_nul", model(graph([node("Relu", ["x\0z"], ["y"])], [x], [y])), BROKEN, "Relu")
    yield Case("name_of_lines", model(graph([node("Relu", ["a\nb"], ["y"], "n\n\r\x1b[31m")], [x], [y])),
               BROKEN, "Relu")


def depth():
    """Graphs in graphs, functions that call functions, and more turns than anyone waits for."""
    x, y = info("x", FLOAT, (1,)), chunk(1, "y")
    def nest(depth):
        inner = graph([node("Identity", ["x"], ["o0"])], [], [chunk(1, "o0")])
        for i in range(depth):
            other = graph([node("Identity", ["x"], ["e"])], [], [chunk(1, "e")])
            branch = node("If", ["c"], ["o"], then_branch=("graph", inner), else_branch=("graph", other))
            inner = graph([branch], [], [chunk(1, "o")])
        return node("If", ["c"], ["y"], then_branch=("graph", inner), else_branch=("graph", inner))
    for levels in (60, 200, 400):
        body = graph([nest(levels) if levels < 100 else node("If", ["c"], ["y"], then_branch=(
            "graph", nested(levels)), else_branch=("graph", nested(1)))], [info("c", BOOL), x], [y])
        yield Case("nested_%d" % levels, model(body), LIMIT)
    call = node("f", ["x"], ["y"], domain="local")
    yield Case("function_of_itself", model(graph([call], [x], [y]), functions=[
        function("f", ["x"], ["y"], [call])]), LIMIT, "functions are called")
    other = node("h", ["x"], ["y"], domain="local")
    yield Case("functions_in_turn", model(graph([call], [x], [y]), functions=[
        function("f", ["x"], ["y"], [other]), function("h", ["x"], ["y"], [call])]), LIMIT, "functions")
    chain = [function("f%d" % i, ["x"], ["y"], [node("f%d" % (i + 1), ["x"], ["t"], domain="local"),
                                                 node("f%d" % (i + 1), ["t"], ["y"], domain="local")])
             for i in range(35)] + [function("f35", ["x"], ["y"], [node("Relu", ["x"], ["y"])])]
    yield Case("functions_double", model(graph([node("f0", ["x"], ["y"], domain="local")], [x], [y]),
                                         functions=chain), LIMIT, "functions are called more than")
    yield Case("function_without_result", model(graph([call], [x], [y]), functions=[
        function("f", ["x"], ["y"], [])]), REFUSED)
    body = graph([node("Identity", ["go"], ["on"]), node("Add", ["v", "v"], ["w"])],
                 [info("i", INT64), info("go", BOOL), info("v", FLOAT, (1,))],
                 [chunk(1, "on"), chunk(1, "w"), chunk(1, "w")])
    for turns in (5000, 1 << 40, HUGE):
        loop = node("Loop", ["k", "", "x"], ["y", "all"], body=("graph", body))
        made = model(graph([loop], [x], [y], [int64s("k", [turns], [])]))
        # A loop of equal iterations is not unrolled; memory is what limits its results.
        words = ((0,),) if turns == 5000 else (REFUSED, "Loop", "scan output")
        yield Case("loop_%d" % turns, made, *words)
    yield Case("loop_without_body", simple("Loop", ["x", "", "x"], dims=(1,)), BROKEN, "body", "Loop")
    yield Case("if_without_branches", simple("If", ["x"], kind=BOOL, dims=()), BROKEN, "branch", "If")
    lost = graph([node("Relu", ["nowhere"], ["o"])], [], [chunk(1, "o")])
    yield Case("branch_of_nothing", model(graph([node("If", ["c"], ["y"], then_branch=("graph", lost),
                                                      else_branch=("graph", lost))],
                                                [info("c", BOOL)], [y])), BROKEN, "'nowhere'", "Relu")
    yield Case("scan_without_inputs", simple("Scan", ["x"], num_scan_inputs=5), BROKEN, "Scan")


def nested(levels):
    inner = b""
    for i in range(levels):
        inner = graph([node("If", ["c"], ["o"], then_branch=("graph", inner))], [], [chunk(1, "o")])
    return inner


def tensors():
    """Tensors whose data is not what their dimensions say."""
    def weight(t, *says, codes=BROKEN):
        return simple("Add", ["x", "w"], [t]), codes, says
    rows = {
        "short_raw": weight(tensor("w", [2, 3], FLOAT, bytes(4)), "'w'", "4 bytes"),
        "long_raw": weight(tensor("w", [2, 3], FLOAT, bytes(25)), "'w'", "25 bytes"),
        "no_data": weight(tensor("w", [2, 3]), "'w'"),
        "claims_4_tb": weight(tensor("w", [1000000, 1000000], FLOAT, bytes(4)), "'w'", codes=REFUSED),
        "dims_overflow": weight(tensor("w", [1 << 62, 4], FLOAT, b""), "'w'", codes=REFUSED),
        "dims_wrap_to_6": weight(tensor("w", [(1 << 63) + 3, 2], FLOAT, bytes(24)), "'w'", codes=REFUSED),
        "dims_square": weight(tensor("w", [1 << 32, 1 << 32], FLOAT, b""), "'w'", codes=REFUSED),
        "negative_dim": weight(tensor("w", [-1], FLOAT, bytes(4)), "'w'", "-1"),
        "negative_pair": weight(tensor("w", [-2, -3], FLOAT, bytes(24)), "'w'", "-2"),
        "least_dim": weight(tensor("w", [-HUGE - 1], FLOAT, bytes(4)), "'w'"),
        "rank_100": weight(tensor("w", [1] * 100, FLOAT, bytes(4)), "dimensions", codes=REFUSED),
        "type_0": weight(tensor("w", [2, 3], 0, bytes(24)), "'w'", codes=REFUSED),
        "type_99": weight(tensor("w", [2, 3], 99, bytes(24)), "'w'", "99", codes=REFUSED),
        "complex": weight(tensor("w", [2, 3], 14, bytes(48)), "'w'", "complex", codes=MISSING),
        "int4_short": weight(tensor("w", [3], INT4, bytes(1)), "'w'"),
        "uint4_long": weight(tensor("w", [3], UINT4, bytes(3)), "'w'"),
        "float16_odd": weight(tensor("w", [2], FLOAT16, bytes(3)), "'w'"),
        "bool_of_seven": weight(tensor("w", [6], BOOL, b"\7" * 5), "'w'"),
        "strings_as_numbers": weight(tensor("w", [1], STRING, b"abc"), "Add", codes=REFUSED),
        "half_of_ints": weight(tensor("w", [4], INT64, None, ints=[1, 2]), "'w'"),
        "another_rank": weight(floats("w", [7, 7, 7]), "Add"),
    }
    for name, (data, codes, says) in rows.items():
        yield Case("tensor_" + name, data, codes, *says)
    x, y = info("x", FLOAT, (3,)), chunk(1, "y")
    def sparse_model(values, indices, dims):
        add = node("Add", ["x", "w"], ["y"])
        return model(graph([add], [x], [y], sparses=[sparse(values, indices, dims)]))
    one = floats("w", [1])
    for name, values, indices, dims in (
            ("beyond", one, int64s("", [3]), [3]), ("far", one, int64s("", [1 << 40]), [3]),
            ("negative", one, int64s("", [-1]), [3]), ("two_of_one", one, int64s("", [0, 1]), [3]),
            ("huge", one, int64s("", [0]), [1 << 40]), ("wraps", one, int64s("", [0]), [1 << 33, 1 << 33]),
            ("floats", one, floats("", [1]), [3]), ("no_indices", one, b"", [3]),
            ("negative_dim", one, int64s("", [0]), [-3]), ("unsorted", floats("w", [2]),
                                                           int64s("", [2, 2]), [3]),
            ("pair_beyond", one, int64s("", [0, 5], [1, 2]), [3, 3])):
        yield Case("sparse_" + name, sparse_model(values, indices, dims), REFUSED)


def sizes():
    """Shapes whose product wraps, or that no memory holds."""
    says = "more than the 64 GiB"
    big = (1 << 31, 1 << 31, 1 << 31)
    yield Case("input_of_2_93", simple("Relu", ["x"], dims=big), LIMIT, "'x'", says)
    yield Case("input_wraps_to_0", simple("Relu", ["x"], dims=(1 << 32, 1 << 32)), LIMIT, "'x'", says)
    yield Case("input_of_max", simple("Relu", ["x"], dims=(HUGE,)), LIMIT, "'x'", says)
    yield Case("input_negative", simple("Relu", ["x"], dims=(-2, 3)), BROKEN, "'x'", "-2")
    yield Case("input_rank_70", simple("Relu", ["x"], dims=(1,) * 70), REFUSED)
    yield Case("constant_4_tib", simple("ConstantOfShape", ["s"], [int64s("s", [1 << 40])]), LIMIT,
               "ConstantOfShape", says)
    yield Case("constant_wraps", simple("ConstantOfShape", ["s"], [int64s("s", [1 << 33, 1 << 33])]),
               LIMIT, "'y'", says)
    yield Case("constant_negative", simple("ConstantOfShape", ["s"], [int64s("s", [-5])]), BROKEN,
               "negative", "ConstantOfShape")
    yield Case("expand_huge", simple("Expand", ["x", "s"], [int64s("s", [1 << 20, 1 << 20, 2, 3])]),
               LIMIT, "'y'", "Expand", says)
    yield Case("expand_negative", simple("Expand", ["x", "s"], [int64s("s", [-1, 3])]), BROKEN, "Expand")
    yield Case("tile_huge", simple("Tile", ["x", "s"], [int64s("s", [1 << 40, 1])]), LIMIT, "Tile", says)
    yield Case("tile_wraps", simple("Tile", ["x", "s"], [int64s("s", [HUGE, HUGE])]), REFUSED, "Tile")
    yield Case("tile_negative", simple("Tile", ["x", "s"], [int64s("s", [-1, 1])]), REFUSED, "Tile")
    yield Case("pad_huge", simple("Pad", ["x", "s"], [int64s("s", [0, 0, 1 << 40, 0])]), LIMIT, "Pad", says)
    yield Case("pad_wraps", simple("Pad", ["x", "s"], [int64s("s", [HUGE, 0, HUGE, 0])]), REFUSED, "Pad")
    yield Case("pad_takes_all", simple("Pad", ["x", "s"], [int64s("s", [-9, 0, 0, 0])]), BROKEN, "Pad")
    yield Case("range_huge", simple("Range", ["a", "b", "c"], [int64s("a", [0], []), int64s(
        "b", [1 << 45], []), int64s("c", [1], [])]), REFUSED, "Range")
    yield Case("range_by_0", simple("Range", ["a", "b", "c"], [int64s("a", [0], []), int64s(
        "b", [9], []), int64s("c", [0], [])]), BROKEN, "must not be 0", "Range")
    yield Case("resize_huge", simple("Resize", ["x", "", "", "s"], [int64s("s", [1 << 30, 1 << 30])]),
               LIMIT, "Resize", says)
    yield Case("resize_negative", simple("Resize", ["x", "", "", "s"], [int64s("s", [-1, 3])]), BROKEN,
               "Resize")
    yield Case("resize_scale_nan", simple("Resize", ["x", "", "s"], [tensor(
        "s", [2], FLOAT, struct.pack("<2f", float("nan"), 1))]), BROKEN, "Resize")
    yield Case("one_hot_huge", simple("OneHot", ["i", "d", "v"], [int64s("i", [0]), int64s(
        "d", [1 << 50], []), floats("v", [2])]), LIMIT, "OneHot", says)
    yield Case("one_hot_negative", simple("OneHot", ["i", "d", "v"], [int64s("i", [0]), int64s(
        "d", [-1], []), floats("v", [2])]), BROKEN, "OneHot")
    doubling = [node("Concat", ["x" if i == 0 else "t%d" % (i - 1)] * 2, ["t%d" % i], "c%d" % i, axis=0)
                for i in range(40)]
    yield Case("concat_doubles", model(graph(doubling, [info("x", FLOAT, (1,))], [chunk(1, "t39")])),
               LIMIT, "Concat", says)
    ones = node("ConstantOfShape", ["s"], ["t0"], value=("tensor", floats("v", [1], [1.0])))
    powers = [node("MatMul", ["t%d" % i, "t%d" % i], ["t%d" % (i + 1)], "m%d" % i) for i in range(30)]
    yield Case("products_of_constants", model(graph([ones] + powers + [node("Add", ["x", "t30"], ["y"])],
               [info("x", FLOAT, (200, 200))], [chunk(1, "y")], [int64s("s", [200, 200])])), (0,))
    filled = [node("ConstantOfShape", ["s"], ["c%d" % i], "c%d" % i) for i in range(2000)]
    yield Case("filled_often", model(graph(filled + [node("Sum", ["x"] + ["c%d" % i for i in range(2000)], ["y"])],
               [info("x", FLOAT, (200, 200))], [chunk(1, "y")], [int64s("s", [200, 200])])), (0,))
    wide = [node("Mul", ["s" if i == 0 else "t%d" % (i - 1)] * 2, ["t%d" % i], "m%d" % i) for i in range(70)]
    # The run finds that the products overflow.
    yield Case("squares", model(graph(wide + [node("ConstantOfShape", ["t69"], ["y"])], [], [chunk(1, "y")],
                                      [int64s("s", [3])])), (0,))


def operators():
    """Attributes and constants that operators cannot do with."""
    w = floats("w", [1, 1, 3, 3])
    image = (1, 1, 8, 8)
    def conv(name, codes=BROKEN, **attributes):
        return Case("conv_" + name, simple("Conv", ["x", "w"], [w], image, **attributes), codes, "Conv")
    yield conv("stride_0", strides=[0, 0])
    yield conv("stride_negative", strides=[-1, -1])
    yield conv("stride_max", strides=[HUGE, HUGE])
    yield conv("dilation_0", dilations=[0, 1])
    yield conv("dilation_max", dilations=[HUGE, HUGE])
    yield conv("group_0", group=0)
    yield conv("group_negative", group=-1)
    yield conv("group_3", group=3)
    yield conv("pads_max", pads=[HUGE] * 4)
    yield conv("pads_odd", pads=[1, 1, 1])
    yield conv("pads_negative", pads=[-9] * 4)
    yield conv("kernel_other", kernel_shape=[5, 5])
    yield conv("kernel_0", kernel_shape=[0, 0])
    yield conv("strides_few", strides=[1])
    for op in ("MaxPool", "AveragePool", "LpPool"):
        yield Case(op.lower() + "_kernel_0", simple(op, ["x"], dims=image, kernel_shape=[0, 0]), BROKEN, op)
        yield Case(op.lower() + "_no_kernel", simple(op, ["x"], dims=image), BROKEN, op)
        yield Case(op.lower() + "_too_wide", simple(op, ["x"], dims=image, kernel_shape=[99, 9]), BROKEN, op)
        yield Case(op.lower() + "_flat", simple(op, ["x"], kernel_shape=[2]), BROKEN, op)
    for index in (3, 100000, -4, HUGE, -HUGE - 1):
        yield Case("gather_%d" % index, simple("Gather", ["x", "i"], [int64s("i", [index])], (3, 4)),
                   BROKEN, "Gather", "index")
    yield Case("gather_elements_far", simple("GatherElements", ["x", "i"], [int64s(
        "i", [9] * 6, [2, 3])]), BROKEN, "GatherElements", "index")
    for op in ("Softmax", "Concat", "Gather", "ArgMax", "Flatten", "Split", "TopK", "CumSum", "Hardmax",
               "LayerNormalization", "OneHot"):
        inputs = {"Gather": ["x", "i"], "TopK": ["x", "i"], "CumSum": ["x", "i"],
                  "LayerNormalization": ["x", "w"], "OneHot": ["i", "i", "w"]}.get(op, ["x"])
        yield Case("axis_of_" + op.lower(), simple(op, inputs, [int64s("i", [7], [1]), floats("w", [2])],
                                                   axis=7), BROKEN, op, "7")
    yield Case("axis_max", simple("Softmax", ["x"], axis=HUGE), BROKEN, "Softmax")
    yield Case("axis_least", simple("Softmax", ["x"], axis=-HUGE - 1), BROKEN, "Softmax")
    for name, perm in (("twice", [0, 0]), ("beyond", [0, 5]), ("few", [1]), ("negative", [-7, 0])):
        yield Case("perm_" + name, simple("Transpose", ["x"], perm=perm), BROKEN, "Transpose")
    for name, shape in (("other", [7]), ("two_open", [-1, -1]), ("negative", [-2, 3]), ("zero", [0, 0, 0]),
                        ("wraps", [1 << 32, 1 << 32]), ("open_of_zero", [-1, 0])):
        yield Case("reshape_" + name, simple("Reshape", ["x", "s"], [int64s("s", shape)],
                                             **({"allowzero": 1} if name == "open_of_zero" else {})),
                   REFUSED, "Reshape")
    for name, parts in (("less", [1, 1]), ("negative", [-1, 4]), ("more", [2, 2]), ("max", [HUGE, HUGE])):
        split = node("Split", ["x", "s"], ["y", "z"], axis=1)
        yield Case("split_" + name, model(graph([split], [info("x", FLOAT, (2, 3))], [chunk(1, "y")],
                                                [int64s("s", parts)])), REFUSED, "Split")
    for name, bounds in (("step_0", ([0], [2], [1], [0])), ("axis", ([0], [2], [5], [1])),
                         ("lengths", ([0, 0], [2], [1], [1])), ("twice", ([0, 0], [1, 1], [1, 1], [1, 1]))):
        tables = [int64s(n, v) for n, v in zip("seat", bounds)]
        yield Case("slice_" + name, simple("Slice", ["x", "s", "e", "a", "t"], tables), BROKEN, "Slice")
    for k in (-1, 4, HUGE):
        yield Case("topk_%d" % k, simple("TopK", ["x", "i"], [int64s("i", [k])]), BROKEN, "TopK")
    yield Case("squeeze_of_2", simple("Squeeze", ["x", "i"], [int64s("i", [0])]), BROKEN, "Squeeze")
    yield Case("unsqueeze_twice", simple("Unsqueeze", ["x", "i"], [int64s("i", [0, 0])]), BROKEN, "Unsqueeze")
    yield Case("matmul_unequal", simple("MatMul", ["x", "w"], [floats("w", [7, 2])]), BROKEN, "MatMul")
    yield Case("gemm_of_rank_3", simple("Gemm", ["x", "w"], [floats("w", [3, 2, 1])]), BROKEN, "Gemm")
    yield Case("depth_block_0", simple("DepthToSpace", ["x"], dims=image, blocksize=0), BROKEN, "DepthToSpace")
    yield Case("space_block_max", simple("SpaceToDepth", ["x"], dims=image, blocksize=HUGE), BROKEN,
               "SpaceToDepth")
    yield Case("einsum_empty", simple("Einsum", ["x"]), BROKEN, "Einsum")
    yield Case("einsum_deep", simple("Einsum", ["x"], equation="(" * 5000), BROKEN, "Einsum")
    yield Case("groups_of_0", simple("GroupNormalization", ["x", "w", "w"], [floats("w", [3])],
                                     num_groups=0), BROKEN, "GroupNormalization")
    yield Case("lrn_size_0", simple("LRN", ["x"], dims=image, size=0), BROKEN, "LRN")
    yield Case("cast_to_99", simple("Cast", ["x"], to=99), MISSING, "Cast")
    yield Case("scales_of_another_length", simple(
        "DequantizeLinear", ["q", "s"], [tensor("q", [2, 3], INT8, bytes(6)), floats("s", [5])], axis=1),
        BROKEN, "DequantizeLinear")
    yield Case("zero_point_of_another_length", simple("QuantizeLinear", ["x", "s", "z"], [
        floats("s", [3]), tensor("z", [2], INT8, bytes(2))], axis=1), BROKEN, "QuantizeLinear")
    yield Case("quantize_axis", simple("QuantizeLinear", ["x", "s"], [floats("s", [3])], axis=9), BROKEN,
               "QuantizeLinear")
    yield Case("batch_norm_short", simple("BatchNormalization", ["x", "w", "w", "w", "w"],
                                          [floats("w", [2])]), BROKEN, "BatchNormalization")
    yield Case("lstm_short_weights", simple("LSTM", ["x", "w", "r"], [floats("w", [1, 4, 3]), floats(
        "r", [1, 4, 2])], (2, 1, 3)), BROKEN, "LSTM")
    yield Case("scatter_far", simple("ScatterElements", ["x", "i", "u"], [int64s("i", [9] * 6, [2, 3]),
                                                                          floats("u", [2, 3])]),
               BROKEN, "ScatterElements")
    yield Case("dtypes_mixed", simple("Add", ["x", "w"], [int64s("w", [1])]), BROKEN, "Add")
    yield Case("declared_other_shape", simple("Relu", ["x"], out=(5, 5)), BROKEN, "'y'", "Relu")
    yield Case("declared_other_rank", simple("Relu", ["x"], out=(6,)), BROKEN, "'y'", "rank 1")
    yield Case("constant_of_nothing", model(graph([node("Constant", [], ["y"])], [], [chunk(1, "y")])),
               BROKEN, "Constant")


def external():
    """Data from where a model has no business to read."""
    for name, location in (
            ("parent", "../secret"), ("parents", "../../../../etc/hostname"), ("inside_out", "a/../../secret"),
            ("absolute", "/etc/hostname"), ("dot_dot", ".."), ("dot", "."), ("empty", ""),
            ("folder", "a"), ("slash", "a/"), ("nul", "w\0/../../secret"), ("backslashes", "..\\secret"),
            ("missing", "nothing.bin"), ("memory", "*/_ORT_MEM_ADDR_/*"), ("link", "link"),
            ("link_in_folder", "folder_link/secret"), ("hard_dots", "a/./../../secret"),
            ("double_slash", "//etc/hostname"), ("device", "/dev/zero"), ("long", "a/" * 3000 + "w"),
            ("url", "file:///etc/hostname"), ("tilde", "~/secret"), ("variable", "$HOME/secret"),
            ("fifo", "fifo"), ("hard_link", "hard_link")):
        t = tensor("w", [2, 3], FLOAT, external=[("location", location)])
        yield Case("external_" + name, simple("Add", ["x", "w"], [t]), (2, 5), "'w'", files="tree")
    for name, entries in (("offset_far", [("offset", "1000")]), ("offset_negative", [("offset", "-4")]),
                          ("length_other", [("length", "4")]), ("length_max", [("length", str(HUGE))]),
                          ("offset_max", [("offset", str((1 << 64) - 4))]), ("offset_words", [("offset", "x")]),
                          ("offset_wraps", [("offset", str((1 << 64) - 24)), ("length", "24")])):
        t = tensor("w", [2, 3], FLOAT, external=[("location", "w.bin")] + entries)
        yield Case("external_" + name, simple("Add", ["x", "w"], [t]), BROKEN, "'w'", files="tree")
    t = tensor("w", [2, 3], FLOAT, external=[("offset", "0")])
    yield Case("external_nowhere", simple("Add", ["x", "w"], [t]), BROKEN, "'w'", files="tree")
    out = tensor("w", [1], FLOAT, external=[("location", "../secret")])
    values = sparse(out, int64s("", [0]), [3])
    x, y = info("x", FLOAT, (3,)), chunk(1, "y")
    yield Case("external_sparse", model(graph([node("Add", ["x", "w"], ["y"])], [x], [y], sparses=[values])),
               (2, 5), "'w'", files="tree")
    indices = tensor("", [1], INT64, external=[("location", "../secret")])
    yield Case("external_sparse_indices", model(graph([node("Add", ["x", "w"], ["y"])], [x], [y],
                                                      sparses=[sparse(floats("w", [1]), indices, [3])])),
               (2, 5), "'w'", files="tree")
    constant = node("Constant", [], ["w"], value=("tensor", out))
    yield Case("external_constant", model(graph([constant, node("Add", ["x", "w"], ["y"])], [x], [y])),
               (2, 5), "Constant", files="tree")
    hidden = node("Constant", [], ["w"], sparse_value=("sparse", values))
    yield Case("external_sparse_constant", model(graph([hidden, node("Add", ["x", "w"], ["y"])], [x], [y])),
               (2, 5), "Constant", files="tree")
    shape = node("ConstantOfShape", ["s"], ["y"], value=("tensor", out))
    yield Case("external_value", model(graph([shape], [], [y], [int64s("s", [2])])), (2, 5),
               "ConstantOfShape", files="tree")


NAMES = ["*/ int main(void) { return 0; } /*", "x\"); system(\"true\"); //", "a\\\nb", "??/\nint x;", "int",
         "main", "LATHE_OK", "__attribute__", "printf", "0", "", "a b", "a.b/c:d", "\u202egnp", "\u0430",
         "NULL", "while", "x" * 100000, "%s%n", "#include </etc/passwd>", "\x1b[2J", "'; DROP", "a\rb", "_", "__", "fabsf", "expf", "memset", "m", "m_run", "in", "out", "arena", "size_t",
         "INT64_MAX", "LATHE_E_SHAPE", "errno", "I", "unix", "self", "_Bool", "y1", "x1"]


def names():
    """Names that would be something else in C; every one of them is fine."""
    for k, name in enumerate(NAMES):
        other = name + "2"
        nodes = [node("Abs", [name or "e"], [other], name), node("Neg", [other], ["y" + name], "*/" + name)]
        yield Case("name_%d" % k, model(graph(nodes, [info(name or "e", FLOAT, (name or "n", 2))],
                                              [chunk(1, "y" + name)], name=name)), (0,))
    many = [node("Abs", ["x"], [name], name) for name in ("a.b", "a_b", "a b", "a-b", "A_B", "a__b")]
    sums = [node("Sum", ["a.b", "a_b", "a b", "a-b", "A_B", "a__b"], ["y"])]
    yield Case("names_alike", model(graph(many + sums, [info("x", FLOAT, (2,))], [chunk(1, "y")])), (0,))


FAMILIES = (wire, graphs, depth, tensors, sizes, operators, external, names)


def cases():
    for family in FAMILIES:
        yield from family()
