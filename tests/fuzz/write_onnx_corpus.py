#!/usr/bin/env python3
"""Writes tests/fuzz/corpus/onnx: small models of each family of operators, for mutations to begin with.

    write_onnx_corpus.py FOLDER
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "hostile"))
from onnx_bytes import *  # noqa: E402,F403

IMAGE = (1, 2, 4, 4)


def at_run_time(op, values, declared, **attributes):
    """A shape, axes or indices that are an input."""
    return model(graph([node(op, ["x", "s"], ["y"], **attributes)],
                       [info("x", FLOAT, (2, 3)), info("s", INT64, (len(values),))],
                       [info("y", FLOAT, declared)]))


def loop(inputs, turns):
    body = graph([node("Identity", ["go"], ["on"]), node("Add", ["v", "v"], ["w"]), node("Neg", ["w"], ["z"])],
                 [info("i", INT64), info("go", BOOL), info("v", FLOAT, (2,))],
                 [chunk(1, "on"), chunk(1, "w"), chunk(1, "z")])
    return model(graph([node("Loop", ["k", "", "x"], ["a", "y"], body=("graph", body))], inputs,
                       [info("y", FLOAT, (3, 2))], turns))


def branch():
    one = graph([node("Neg", ["x"], ["o"])], [], [chunk(1, "o")])
    two = graph([node("Abs", ["x"], ["o"])], [], [chunk(1, "o")])
    return model(graph([node("If", ["c"], ["y"], then_branch=("graph", one), else_branch=("graph", two))],
                       [info("c", BOOL), info("x", FLOAT, ("n", 2))], [chunk(1, "y")]))


def sequences():
    nodes = [node("SplitToSequence", ["x", "k"], ["s"], axis=0), node("SequenceInsert", ["s", "x"], ["t"]),
             node("SequenceAt", ["t", "k"], ["a"]), node("ConcatFromSequence", ["t"], ["y"], axis=0)]
    return model(graph(nodes, [info("x", FLOAT, (4, 2))], [chunk(1, "y"), chunk(1, "a")], [int64s("k", [2], [])]))


def functions():
    scaled = function("scaled", ["x"], ["y"], [node("Mul", ["x", "x"], ["t"]), node("Neg", ["t"], ["y"])])
    return model(graph([node("scaled", ["x"], ["y"], domain="local")], [info("x", FLOAT, ("n",))],
                       [chunk(1, "y")]), functions=[scaled])


def shapes():
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]), node("Mul", ["n", "two"], ["m"]),
             node("Concat", ["m", "minus"], ["d"], axis=0), node("Reshape", ["x", "d"], ["y"])]
    return model(graph(nodes, [info("x", FLOAT, ("n", 6))], [chunk(1, "y")],
                       [int64s("zero", [0]), int64s("two", [2]), int64s("minus", [-1])]))


def models():
    w = floats("w", [3, 2, 3, 3])
    yield "conv", simple("Conv", ["x", "w"], [w], IMAGE, pads=[1, 1, 1, 1], strides=[2, 1])
    yield "conv_transpose", simple("ConvTranspose", ["x", "w"], [floats("w", [2, 1, 2, 2])], IMAGE, strides=[2, 2])
    yield "max_pool", simple("MaxPool", ["x"], dims=IMAGE, kernel_shape=[2, 2], ceil_mode=1, strides=[2, 2])
    yield "average_pool", simple("AveragePool", ["x"], dims=IMAGE, kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    yield "gemm", simple("Gemm", ["x", "w", "b"], [floats("w", [4, 3]), floats("b", [4])], transB=1, alpha=0.5)
    yield "matmul", simple("MatMul", ["x", "w"], [floats("w", [3, 4])], ("n", 3))
    yield "softmax", simple("Softmax", ["x"], axis=-1)
    yield "batch_norm", simple("BatchNormalization", ["x"] + ["w"] * 4, [floats("w", [2])], IMAGE)
    yield "layer_norm", simple("LayerNormalization", ["x", "w"], [floats("w", [3])])
    yield "reduce", simple("ReduceMean", ["x", "a"], [int64s("a", [1])], keepdims=0)
    yield "gather", simple("Gather", ["x", "i"], [int64s("i", [1, -1])], axis=1)
    yield "slice", simple("Slice", ["x", "s", "e", "a", "t"], [int64s(n, [v]) for n, v in
                                                              (("s", -1), ("e", -9), ("a", 1), ("t", -1))])
    yield "pad", simple("Pad", ["x", "p"], [int64s("p", [0, 1, 1, 0])], mode="reflect")
    yield "resize", simple("Resize", ["x", "", "s"], [floats("s", [4], [1, 1, 2, 1.5])], IMAGE, mode="linear")
    yield "transpose", simple("Transpose", ["x"], perm=[1, 0])
    yield "split", model(graph([node("Split", ["x"], ["y", "z"], axis=1, num_outputs=2)],
                               [info("x", FLOAT, (2, 3))], [chunk(1, "y"), chunk(1, "z")]))
    yield "topk", simple("TopK", ["x", "k"], [int64s("k", [2])])
    yield "lstm", simple("LSTM", ["x", "w", "r"], [floats("w", [1, 8, 3]), floats("r", [1, 8, 2])], (2, 1, 3))
    yield "einsum", simple("Einsum", ["x", "x"], equation="ij,ik->jk")
    yield "quantize", simple("QuantizeLinear", ["x", "s"], [floats("s", [3])], axis=1)
    yield "dequantize", simple("DequantizeLinear", ["q", "s"], [tensor("q", [3], INT4, bytes(2)), floats("s", [])])
    yield "sparse", model(graph([node("Add", ["x", "w"], ["y"])], [info("x", FLOAT, (3,))], [chunk(1, "y")],
                                sparses=[sparse(floats("w", [1]), int64s("", [1]), [3])]))
    yield "reshape_at_run_time", at_run_time("Reshape", [3, 2], (3, 2))
    yield "expand_at_run_time", at_run_time("Expand", [2, 2, 3], (2, 2, 3))
    yield "tile_at_run_time", at_run_time("Tile", [1, 2], (2, 6))
    yield "reduce_at_run_time", at_run_time("ReduceMax", [1], (2, 1))
    yield "pad_at_run_time", at_run_time("Pad", [0, 1, 1, 0], (3, 4))
    yield "non_zero", model(graph([node("NonZero", ["x"], ["y"])], [info("x", FLOAT, (2, 3))], [info("y", INT64, (2, 4))]))
    yield "attention", simple("Attention", ["x", "x", "x"], dims=(1, 2, 4), q_num_heads=2, kv_num_heads=2)
    yield "grid_sample", simple("GridSample", ["x", "g"], [floats("g", [1, 2, 2, 2])], IMAGE)
    yield "loop", loop([info("x", FLOAT, (2,))], [int64s("k", [3], [])])
    yield "loop_at_run_time", loop([info("k", INT64), info("x", FLOAT, (2,))], [])
    yield "branch", branch()
    yield "sequences", sequences()
    yield "functions", functions()
    yield "shapes", shapes()


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, data in models():
        (folder / (name + ".onnx")).write_bytes(data)


if __name__ == "__main__":
    main()
