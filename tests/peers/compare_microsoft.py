#!/usr/bin/env python3
"""com.microsoft's operators against ONNX Runtime: compare_microsoft.py LATHE

Makes a small model of each operator with random values, runs it with ONNX Runtime and with `lathe run`, and
compares: integers may be one off, floats 1e-4 relative and 1e-5 absolute. It says what it compared;
the exit code is 1 when something differs. Needs the packages onnx, onnxruntime and numpy of PyPI, in
any version that has the operators:

    python3 -m venv /tmp/peer && /tmp/peer/bin/pip install onnx onnxruntime
    /tmp/peer/bin/python tests/peers/compare_microsoft.py build/fast/bin/lathe
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

TYPES = {"float32": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "int8": TensorProto.INT8,
         "int32": TensorProto.INT32, "int64": TensorProto.INT64, "bool": TensorProto.BOOL}


class Case:
    """One node. `inputs` are arrays; what `fixed` names by number is an initializer, None is left out."""

    def __init__(self, op, inputs, outputs=1, fixed=(), domain="com.microsoft", **attributes):
        self.op, self.inputs, self.fixed = op, inputs, set(fixed)
        names = ["" if x is None else f"x{i}" for i, x in enumerate(inputs)]
        results = [f"y{i}" for i in range(outputs)]
        node = helper.make_node(op, names, results, domain=domain, **attributes)
        given = [helper.make_tensor_value_info(names[i], TYPES[str(x.dtype)], x.shape)
                 for i, x in enumerate(inputs) if x is not None and i not in self.fixed]
        constants = [numpy_helper.from_array(inputs[i], names[i]) for i in sorted(self.fixed)]
        outs = [helper.make_empty_tensor_value_info(r) for r in results]
        graph = helper.make_graph([node], "g", given, outs, constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        self.model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        self.given = {names[i]: x for i, x in enumerate(inputs) if x is not None and i not in self.fixed}

    def wanted(self):
        session = onnxruntime.InferenceSession(self.model.SerializeToString(), providers=["CPUExecutionProvider"])
        return session.run(None, self.given)

    def got(self, lathe, folder):
        (folder / "model.onnx").write_bytes(self.model.SerializeToString())
        np.savez(folder / "in.npz", **self.given)
        subprocess.run([lathe, "run", "model.onnx", "--input", "in.npz", "-o", "out.npz", "--numerics", "fused"],
                       cwd=folder, check=True, capture_output=True, text=True)
        arrays = np.load(folder / "out.npz")
        return [arrays[name] for name in arrays.files]


def cases():
    r = np.random.RandomState(1)
    real = lambda *dims: r.standard_normal(dims).astype(np.float32)
    byte = lambda *dims: r.randint(0, 256, dims).astype(np.uint8)
    small = lambda *dims: r.randint(-127, 128, dims).astype(np.int8)
    at = lambda value: np.array(value, np.float32)
    point = lambda value: np.array(value, np.uint8)
    ints = lambda *values: np.array(values, np.int32)
    for op in ("QLinearAdd", "QLinearMul"):
        yield Case(op, [byte(3, 5), at(0.03), point(100), byte(3, 5), at(0.02), point(130), at(0.05), point(120)],
                   fixed=(1, 2, 4, 5, 6, 7))
    yield Case("QLinearConcat", [at(0.03), point(90), byte(2, 3), at(0.02), point(80), byte(2, 2), at(0.03), point(90)],
               fixed=(0, 1, 3, 4, 6, 7), axis=1)
    yield Case("QLinearSigmoid", [byte(40), at(0.05), point(128), at(1 / 256), point(0)], fixed=(1, 2, 3, 4))
    yield Case("QLinearLeakyRelu", [byte(40), at(0.05), point(128), at(0.04), point(60)], fixed=(1, 2, 3, 4), alpha=0.1)
    yield Case("QLinearSoftmax", [byte(3, 7), at(0.02), point(128), at(1 / 256), point(0)],
               fixed=(1, 2, 3, 4), axis=-1, opset=13)
    yield Case("QLinearGlobalAveragePool", [byte(1, 4, 5, 6), at(0.03), point(7), at(0.02), point(9)], fixed=(1, 2, 3, 4))
    yield Case("QLinearAveragePool", [byte(1, 4, 5, 6), at(0.03), point(7), at(0.02), point(9)], fixed=(1, 2, 3, 4),
               kernel_shape=[3, 2], strides=[1, 2])
    yield Case("QLinearAveragePool", [byte(1, 4, 5, 6), at(0.03), point(7), at(0.03), point(9)], fixed=(1, 2, 3, 4),
               kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
    yield Case("QLinearWhere", [r.rand(6) > 0.5, byte(6), at(0.03), point(3), byte(6), at(0.02), point(5), at(0.04), point(7)],
               fixed=(2, 3, 5, 6, 7, 8))
    gemm = [byte(3, 8), at(0.02), point(120), small(5, 8), at(0.01), np.array(0, np.int8),
            r.randint(-500, 500, 5).astype(np.int32), at(0.05), point(128)]
    yield Case("QGemm", gemm, fixed=range(1, 9), transB=1)
    yield Case("QGemm", gemm[:7], fixed=range(1, 7), transB=1)
    yield Case("FusedConv", [real(1, 3, 6, 6), real(4, 3, 3, 3), real(4)], activation="Relu", pads=[1, 1, 1, 1])
    yield Case("FusedConv", [real(1, 3, 6, 6), real(4, 3, 3, 3), real(4), real(1, 4, 4, 4)], activation="Relu")
    yield Case("FusedMatMul", [real(2, 4, 3), real(2, 5, 4)], transA=1, transB=1, alpha=0.5)
    yield Case("FusedMatMul", [real(4, 2, 3), real(2, 3, 5)], transBatchA=1)
    yield Case("FusedGemm", [real(3, 4), real(4, 5), real(5)], alpha=0.5, beta=2.0, activation="LeakyRelu", activation_alpha=0.2)
    yield Case("Gelu", [real(50) * 3])
    yield Case("FastGelu", [real(2, 5), real(5)])
    yield Case("BiasGelu", [real(2, 5), real(5)])
    yield Case("QuickGelu", [real(50)], alpha=1.702)
    yield Case("SkipLayerNormalization", [real(2, 3, 8), real(2, 3, 8), real(8), real(8), real(8)], epsilon=1e-5)
    yield Case("SkipSimplifiedLayerNormalization", [real(2, 3, 8), real(2, 3, 8), real(8), real(8)], epsilon=1e-5)
    yield Case("SimplifiedLayerNormalization", [real(2, 3, 8), real(8)], domain="", epsilon=1e-5)
    yield Case("EmbedLayerNormalization",
               [r.randint(0, 9, (2, 4)).astype(np.int32), r.randint(0, 2, (2, 4)).astype(np.int32), real(9, 8), real(6, 8),
                real(2, 8), real(8), real(8), np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)], outputs=2, epsilon=1e-5)
    yield Case("MatMulIntegerToFloat", [byte(3, 8), byte(8, 4), at(0.02), at(0.03), point(120), point(110), real(4)], fixed=range(1, 7))
    yield Case("DynamicQuantizeMatMul", [real(3, 8), small(8, 4), at(0.03), np.array(0, np.int8)], fixed=(1, 2, 3))
    for bits in (4, 8):
        packed = byte(6, 2, 16 * bits // 8)
        yield Case("MatMulNBits", [real(3, 32), packed, np.abs(real(12))], fixed=(1, 2), K=32, N=6, bits=bits, block_size=16)
    yield Case("MatMulNBits", [real(3, 32), byte(6, 2, 8), np.abs(real(12)), byte(6)], fixed=(1, 2, 3), K=32, N=6, bits=4, block_size=16)
    yield Case("RotaryEmbedding", [real(2, 3, 8), np.array([[0, 1, 2], [2, 3, 4]], np.int64), real(6, 2), real(6, 2)])
    yield Case("RotaryEmbedding", [real(2, 3, 8), np.array([1], np.int64), real(6, 4), real(6, 4)], interleaved=1)
    yield Case("Attention", [real(2, 3, 8), real(8, 24), real(24)], num_heads=2)
    yield Case("Attention", [real(2, 3, 8), real(8, 24), real(24), ints(3, 2)], num_heads=2)
    yield Case("Attention", [real(2, 3, 8), real(8, 24), real(24), None, real(2, 2, 2, 4, 4)], outputs=2, num_heads=2, unidirectional=1)
    yield Case("MultiHeadAttention", [real(2, 3, 8), real(2, 5, 8), real(2, 5, 8), real(24)], num_heads=2)
    yield Case("MultiHeadAttention", [real(2, 3, 8), real(2, 5, 8), real(2, 5, 8), None, ints(4, 5), real(1, 2, 3, 5)], num_heads=2)
    yield Case("MultiHeadAttention", [real(1, 3, 8), real(1, 3, 8), real(1, 3, 8), None, None, None, real(1, 2, 2, 4), real(1, 2, 2, 4)],
               outputs=3, num_heads=2)
    yield Case("GroupQueryAttention", [real(1, 3, 16), real(1, 3, 8), real(1, 3, 8), None, None, ints(2), np.array([3], np.int32)],
               outputs=3, num_heads=2, kv_num_heads=1)
    yield Case("GroupQueryAttention",
               [real(2, 1, 32), real(2, 1, 16), real(2, 1, 16), real(2, 1, 6, 16), real(2, 1, 6, 16), ints(3, 2), np.array([4], np.int32),
                real(8, 8), real(8, 8)], outputs=3, num_heads=2, kv_num_heads=1, do_rotary=1)


def difference(want, got):
    if want.shape != got.shape or want.dtype != got.dtype:
        return f"{want.dtype} {want.shape} against {got.dtype} {got.shape}"
    if np.issubdtype(want.dtype, np.integer):
        most = int(np.abs(want.astype(np.int64) - got.astype(np.int64)).max(initial=0))
        return f"integers {most} off" if most > 1 else ""
    if np.allclose(want, got, rtol=1e-4, atol=1e-5):
        return ""
    return f"off by {np.abs(want - got).max()}"


def main():
    lathe = str(pathlib.Path(sys.argv[1]).resolve())
    counts, different, refused = {}, [], []
    for case in cases():
        try:
            want = case.wanted()
        except Exception as error:  # whatever ONNX Runtime does not run is said, and does not count
            refused.append(f"{case.op}: {str(error).splitlines()[0][:150]}")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            try:
                got = case.got(lathe, pathlib.Path(scratch))
            except subprocess.CalledProcessError as error:
                different.append(f"{case.op}: lathe: {error.stderr.strip()}")
                continue
        why = [w for w in map(difference, want, got) if w]
        if why or len(want) != len(got):
            different.append(f"{case.op}: {'; '.join(why) or 'another number of results'}")
        counts[case.op] = counts.get(case.op, 0) + 1
    print(f"onnxruntime {onnxruntime.__version__}: compared {sum(counts.values())} models of {len(counts)} operators: "
          + ", ".join(f"{op} {count}" for op, count in sorted(counts.items())))
    for line in refused:
        print("not run by ONNX Runtime:", line)
    for line in different:
        print("different:", line)
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
