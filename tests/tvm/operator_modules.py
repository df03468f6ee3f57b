"""Modules of one operator each, built with TVM's own API: every operator, with fixed and symbolic sizes.

`modules()` yields (name, function that builds the module). A size is a number, the name of a size variable, or a function of
a table of size variables; a parameter is (shape, dtype) or a type.
"""
import collections
import functools

import numpy as np
import tvm
from tvm import relax
from tvm.relax import op as ops

F32, I64, I32 = "float32", "int64", "int32"
UNARY = """abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh erf exp floor isfinite isinf isnan log logical_not negative round
rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc nn.relu nn.relu6 nn.gelu nn.gelu_tanh nn.silu nn.selu nn.leakyrelu nn.softplus
nn.softmax nn.log_softmax nn.batch_flatten nn.dropout flatten ones_like zeros_like eye_like nonzero permute_dims squeeze shape_of size argmax
argmin max min mean median prod std sum variance cumsum cumprod sort argsort topk unique tril triu grad.no_grad grad.start_checkpoint
grad.end_checkpoint builtin.stop_lift_params memory.ensure_zero_offset""".split()
BINARY = """add atan2 bitwise_and bitwise_or bitwise_xor collapse_sum_like divide equal floor_divide floor_mod greater greater_equal left_shift
less less_equal log_add_exp logical_and logical_or logical_xor matmul maximum minimum mod multiply not_equal power right_shift
subtract""".split()
OF_INTEGERS = {"bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"}
OF_BOOLS = {"logical_not", "logical_and", "logical_or", "logical_xor"}


class Sizes(collections.defaultdict):
    """The size variables of one module, by name."""

    def __missing__(self, name):
        self[name] = tvm.tirx.Var(name, I64)
        return self[name]


def build(params, make, dataflow=True):
    builder = relax.BlockBuilder()
    with builder.function("main", params):
        if dataflow:
            with builder.dataflow():
                value = make(builder, *params)
                value = value if isinstance(value, relax.Var) else builder.emit(value)
                result = builder.emit_output(value)
        else:
            result = builder.emit(make(builder, *params))
        builder.emit_func_output(result)
    return builder.get()


def case(name, params, make, dataflow=True):
    """`make` takes the builder, the size variables and the parameters, and returns the expression of the result."""
    def module():
        sizes = Sizes()
        variables = []
        for param, of in params.items():
            if isinstance(of, tuple):
                shape = [sizes[d] if isinstance(d, str) else d(sizes) if callable(d) else d for d in of[0]]
                of = relax.TensorType(shape, of[1])
            variables.append(relax.Var(param, of))
        return build(variables, lambda builder, *values: make(builder, sizes, *values), dataflow)
    return name, module


def dtype_of(name):
    return I32 if name in OF_INTEGERS else "bool" if name in OF_BOOLS else F32


def elementwise():
    for name in UNARY:
        f = functools.reduce(getattr, name.split("."), ops)
        for tag, shape in (("fixed", (3, 4)), ("symbolic", ("n", 4)), ("computed", ("n", lambda s: s["n"] * 2 + 1))):
            yield case(f"{name}.{tag}", {"x": (shape, dtype_of(name))}, lambda b, s, x, f=f: f(x))
    shapes = {"fixed": ((4, 4), (4, 4)), "broadcast": ((4, 4), (1, 4)), "symbolic": (("n", "n"), ("n", "n")), "open": (("n", 4), (4, 4))}
    for name in BINARY:
        f, dtype = getattr(ops, name), dtype_of(name)
        for tag, (left, right) in shapes.items():
            if name == "matmul" and tag == "broadcast":
                left, right = (2, 3, 4), (4, 5)
            yield case(f"{name}.{tag}", {"x": (left, dtype), "y": (right, dtype)}, lambda b, s, x, y, f=f: f(x, y))
        yield case(f"{name}.bytes", {"x": ((3,), "uint8"), "y": ((3,), "uint8")}, lambda b, s, x, y, f=f: f(x, y))
        yield case(f"{name}.constant", {"x": ((4, 4), dtype)},
                   lambda b, s, x, f=f, dtype=dtype: f(x, relax.const(np.ones((4, 4)).astype(dtype))))
        yield case(f"{name}.number", {"x": ((4, 4), dtype)}, lambda b, s, x, f=f, dtype=dtype: f(x, relax.const(1, dtype)))


def float_imm(value):
    return tvm.tirx.FloatImm(F32, value)


def shapes_and_data():
    yield case("arange", {"x": ((3,), F32)}, lambda b, s, x: ops.arange(0, 10, 2, dtype=I64))
    yield case("arange.symbolic", {"x": (("n",), F32)}, lambda b, s, x: ops.arange(0, s["n"], 1, dtype=I64))
    yield case("arange.floats", {"x": ((3,), F32)}, lambda b, s, x: ops.arange(float_imm(0), float_imm(1), float_imm(0.25), dtype=F32))
    for dtype in ("float16", "bool", "bfloat16", "int8"):
        yield case(f"astype.{dtype}", {"x": (("n", 3), F32)}, lambda b, s, x, dtype=dtype: ops.astype(x, dtype))
    yield case("broadcast_to", {"x": ((1, 3), F32), "y": (("n", 3), F32)}, lambda b, s, x, y: ops.broadcast_to(x, (s["n"], 3)))
    yield case("bucketize", {"x": ((4,), F32), "y": ((3,), F32)}, lambda b, s, x, y: ops.bucketize(x, y, True, False))
    yield case("clip", {"x": ((4,), F32)}, lambda b, s, x: ops.clip(x, 0, 6.5))
    yield case("collapse_sum_to", {"x": ((4, 3), F32)}, lambda b, s, x: ops.collapse_sum_to(x, (1, 3)))
    yield case("concat", {"x": ((4, 3), F32), "y": ((2, 3), F32)}, lambda b, s, x, y: ops.concat([x, y], 0))
    yield case("concat.symbolic", {"x": (("p",), F32), "y": (("t",), F32)}, lambda b, s, x, y: ops.concat([x, y], 0))
    yield case("cumsum.axis", {"x": ((4, "n"), F32)}, lambda b, s, x: ops.cumsum(x, 1, "float64", True))
    per_axis = {"x": ((2, 4), F32), "y": ((4,), F32), "z": ((4,), "int8")}
    yield case("quantize", per_axis, lambda b, s, x, y, z: ops.quantize(x, y, z, 1, "int8"))
    yield case("dequantize", {**per_axis, "x": ((2, 4), "int8")}, lambda b, s, x, y, z: ops.dequantize(x, y, z, 1, F32))
    bounds = {"x": ((8, 8), F32), **{name: ((2,), I64) for name in "bes"}}
    yield case("dynamic_strided_slice", bounds, lambda b, s, x, begin, end, step: ops.dynamic_strided_slice(x, begin, end, step))
    yield case("einsum", {"x": (("n", 3), F32), "y": ((3, 5), F32)}, lambda b, s, x, y: ops.einsum([x, y], "ij,jk->ik"))
    yield case("ewise_fma", {name: (("n", 3), F32) for name in "xyz"}, lambda b, s, x, y, z: ops.ewise_fma(x, y, z))
    yield case("expand_dims", {"x": (("n", 3), F32)}, lambda b, s, x: ops.expand_dims(x, [0, -1]))
    yield case("eye", {"x": (("n",), F32)}, lambda b, s, x: ops.eye(s["n"], 4, 1, I32))
    yield case("flip", {"x": (("n", 3), F32)}, lambda b, s, x: ops.flip(x, 1))
    yield case("full", {"x": (("n",), F32)}, lambda b, s, x: ops.full((s["n"], 3), relax.const(2.5, F32), None))
    yield case("full.dtype", {"x": ((), F32)}, lambda b, s, x: ops.full((2, 3), x, "float16"))
    yield case("full_like", {"x": (("n", 2), F32)}, lambda b, s, x: ops.full_like(x, relax.const(3, F32), "float16"))
    yield case("ones", {"x": ((2,), F32)}, lambda b, s, x: ops.ones((3, 2), F32))
    yield case("zeros", {"x": (("n",), F32)}, lambda b, s, x: ops.zeros((s["n"] * 2, 2), "int8"))
    yield case("hamming_window", {"x": ((2,), F32)}, lambda b, s, x: ops.hamming_window(10, True, 0.54, 0.46, F32))
    yield case("gather_elements", {"x": ((4, 3), F32), "i": ((2, 3), I64)}, lambda b, s, x, i: ops.gather_elements(x, i, 0))
    yield case("gather_nd", {"x": (("n", 3), F32), "i": (("m", 1), I64)}, lambda b, s, x, i: ops.gather_nd(x, i, 0))
    at = {"x": ((4, 3), F32), "i": ((2,), I64), "j": ((2,), I64)}
    yield case("index_put", {**at, "v": ((2,), F32)}, lambda b, s, x, i, j, v: ops.index_put(x, relax.Tuple([i, j]), v, True))
    yield case("index_tensor", at, lambda b, s, x, i, j: ops.index_tensor(x, [i, j]))
    yield case("layout_transform", {"x": ((4, 8), F32)}, lambda b, s, x: ops.layout_transform(x, lambda i, j: (i, j // 4, j % 4)))
    yield case("layout_transform.pad", {"x": ((4, 7), F32)},
               lambda b, s, x: ops.layout_transform(x, lambda i, j: (i, j // 4, j % 4), pad_value=2.0))
    yield case("matmul.dtype", {"x": (("n", 4), "float16"), "y": ((4, 3), "float16")}, lambda b, s, x, y: ops.matmul(x, y, F32))
    yield case("meshgrid", {"x": ((4,), F32), "y": (("n",), F32)}, lambda b, s, x, y: ops.meshgrid([x, y], "ij"))
    yield case("multinomial", {"p": ((3, 5), F32), "u": ((6, 1), F32), "i": ((6, 1), I64)},
               lambda b, s, p, u, i: ops.multinomial_from_uniform(p, u, i, I64))
    yield case("one_hot", {"i": (("n", 3), I64)}, lambda b, s, i: ops.one_hot(i, float_imm(1), float_imm(0), 5, -1))
    yield case("outer", {"x": (("n",), F32), "y": ((3,), F32)}, lambda b, s, x, y: ops.outer(x, y))
    yield case("permute_dims.axes", {"x": (("n", 3, 4), F32)}, lambda b, s, x: ops.permute_dims(x, [2, 0, 1]))
    yield case("repeat", {"x": (("n", 3), F32)}, lambda b, s, x: ops.repeat(x, 2, 0))
    yield case("reshape", {"x": (("n", 6), F32)}, lambda b, s, x: ops.reshape(x, (s["n"] * 2, 3)))
    yield case("reshape.inferred", {"x": (("n", 3), F32)}, lambda b, s, x: ops.reshape(x, (-1, 3)))
    yield case("reshape.variable", {"x": (("n", 6), F32), "to": relax.ShapeType(ndim=3)}, lambda b, s, x, to: ops.reshape(x, to))
    yield case("reverse_sequence", {"x": ((4, 5, 2), F32), "l": ((4,), I64)}, lambda b, s, x, l: ops.reverse_sequence(x, l, 1, 0))
    yield case("scatter_elements", {"x": ((4, 3), F32), "i": ((2, 3), I64), "u": ((2, 3), F32)},
               lambda b, s, x, i, u: ops.scatter_elements(x, i, u, 0, "add"))
    yield case("scatter_nd", {"x": ((8,), F32), "i": ((4, 1), I64), "u": ((4,), F32)}, lambda b, s, x, i, u: ops.scatter_nd(x, i, u, "mul"))
    yield case("slice_scatter", {"x": ((8, 4), F32), "y": ((3, 4), F32)}, lambda b, s, x, y: ops.slice_scatter(x, y, 1, 7, 2, axis=0))
    yield case("split", {"x": (("n", 6), F32)}, lambda b, s, x: ops.split(x, 3, 1))
    yield case("split.indices", {"x": ((4, 6), F32)}, lambda b, s, x: ops.split(x, [1, 4], 1))
    yield case("stack", {"x": (("n", 3), F32), "y": (("n", 3), F32)}, lambda b, s, x, y: ops.stack([x, y], 1))
    yield case("squeeze.axis", {"x": ((1, "n", 1), F32)}, lambda b, s, x: ops.squeeze(x, [0]))
    yield case("strided_slice", {"x": ((8, 9), F32)}, lambda b, s, x: ops.strided_slice(x, [0, 1], [1, 0], [7, 9], [2, 3]))
    yield case("strided_slice.symbolic", {"x": (("n", 9), F32)}, lambda b, s, x: ops.strided_slice(x, [0], [0], [s["n"] - 1], [1]))
    yield case("take", {"x": (("n", 3), F32), "i": (("m",), I32)}, lambda b, s, x, i: ops.take(x, i, 0, "clip"))
    yield case("take.scalar", {"x": ((4, 3), F32), "i": tvm.ir.PrimType(I64)}, lambda b, s, x, i: ops.take(x, i, 0))
    yield case("tensor_to_shape", {"x": ((3,), I64)}, lambda b, s, x: ops.tensor_to_shape(x))
    yield case("shape_to_tensor", {"x": (("n", 3), F32)}, lambda b, s, x: ops.shape_to_tensor(b.emit(ops.shape_of(x))))
    yield case("tile", {"x": (("n", 3), F32)}, lambda b, s, x: ops.tile(x, (2, 3)))
    yield case("topk.indices", {"x": ((4, "n"), F32)}, lambda b, s, x: ops.topk(x, 3, 0, "indices", False, I64))
    yield case("tril.scalar", {"x": (("n", "n"), F32), "k": tvm.ir.PrimType(I64)}, lambda b, s, x, k: ops.tril(x, k))
    yield case("unique.all", {"x": ((4, 3), F32)}, lambda b, s, x: ops.unique(x, True, True, True, True, 0))
    yield case("where", {"c": (("n", 3), "bool"), "x": (("n", 3), F32), "y": ((3,), F32)}, lambda b, s, c, x, y: ops.where(c, x, y))
    yield case("sum.axes", {"x": (("n", 3, 4), F32)}, lambda b, s, x: ops.sum(x, [0, -1], True))
    yield case("argmax.axis", {"x": (("n", 3, 4), F32)}, lambda b, s, x: ops.argmax(x, 1, True))


def networks():
    heads = {name: (("b", 4, 2, 8), F32) for name in "qkv"}
    yield case("nn.attention", heads, lambda b, s, q, k, v: ops.nn.attention(q, k, v, causal_mask="TopLeft"))
    yield case("nn.attention_bias", {**heads, "bias": (("b", 2, 4, 4), F32)},
               lambda b, s, q, k, v, bias: ops.nn.attention(q, k, v, bias, float_imm(0.25)))
    yield case("nn.attention_var_len", {**{name: ((1, 8, 2, 8), F32) for name in "qkv"}, "s": ((3,), I32), "l": ((), I32)},
               lambda b, s, q, k, v, starts, longest: ops.nn.attention_var_len(q, k, v, starts, longest))
    for d in (1, 2, 3):
        image = (8, 9, 10)[:d]
        for kind in ("max", "avg"):
            yield case(f"nn.{kind}_pool{d}d", {"x": (("n", 3) + image, F32)},
                       lambda b, s, x, d=d, kind=kind: getattr(ops.nn, f"{kind}_pool{d}d")(x, (2,) * d, (2,) * d, (1,) * (2 * d)))
        yield case(f"nn.adaptive_avg_pool{d}d", {"x": (("n", 3) + image, F32)},
                   lambda b, s, x, d=d: getattr(ops.nn, f"adaptive_avg_pool{d}d")(x, (2,) * d))
        yield case(f"nn.conv{d}d", {"x": (("n", 4) + image, F32), "w": ((6, 2) + (3,) * d, F32)},
                   lambda b, s, x, w, d=d: getattr(ops.nn, f"conv{d}d")(x, w, 2, 1, 1, 2))
        yield case(f"nn.conv{d}d.dtype", {"x": ((1, 4) + image, "float16"), "w": ((6, 4) + (3,) * d, "float16")},
                   lambda b, s, x, w, d=d: getattr(ops.nn, f"conv{d}d")(x, w, out_dtype=F32))
        yield case(f"nn.conv{d}d_transpose", {"x": (("n", 4) + image, F32), "w": ((4, 3) + (3,) * d, F32)},
                   lambda b, s, x, w, d=d: getattr(ops.nn, f"conv{d}d_transpose")(x, w, (2,) * d, (1,) * d, (1,) * d))
    yield case("nn.conv2d.open", {"x": ((1, 4, "h", "w"), F32), "k": ((6, 4, 3, 3), F32)},
               lambda b, s, x, k: ops.nn.conv2d(x, k, padding=(1, 1)))
    yield case("nn.conv2d.last", {"x": ((1, 8, 8, 4), F32), "w": ((3, 3, 4, 6), F32)},
               lambda b, s, x, w: ops.nn.conv2d(x, w, data_layout="NHWC", kernel_layout="HWIO"))
    norm = {"x": (("n", 4, 5, 6), F32), "g": ((4,), F32), "b": ((4,), F32)}
    yield case("nn.batch_norm", {**norm, "m": ((4,), F32), "v": ((4,), F32)},
               lambda b, s, x, g, beta, m, v: ops.nn.batch_norm(x, g, beta, m, v, 1))
    yield case("nn.group_norm", norm, lambda b, s, x, g, beta: ops.nn.group_norm(x, g, beta, 2, 1, [2, 3]))
    yield case("nn.instance_norm", norm, lambda b, s, x, g, beta: ops.nn.instance_norm(x, g, beta, 1, [2, 3]))
    rows = {"x": (("n", 4), F32), "g": ((4,), F32), "b": ((4,), F32)}
    yield case("nn.layer_norm", rows, lambda b, s, x, g, beta: ops.nn.layer_norm(x, g, beta, [-1], 1e-6, False, True))
    yield case("nn.rms_norm", {"x": (("n", 4), F32), "g": ((4,), F32)}, lambda b, s, x, g: ops.nn.rms_norm(x, g, [-1], 1e-6))
    yield case("nn.cross_entropy", {"x": (("n", 4), F32), "y": (("n", 4), F32)}, lambda b, s, x, y: ops.nn.cross_entropy_with_logits(x, y))
    yield case("nn.nll_loss", {"x": (("n", 4), F32), "y": (("n",), I64), "w": ((4,), F32)},
               lambda b, s, x, y, w: ops.nn.nll_loss(x, y, w, "mean", -1))
    yield case("nn.pad", {"x": (("n", 4), F32)}, lambda b, s, x: ops.nn.pad(x, [1, 1, 2, 0], "constant", 1.5))
    yield case("nn.pad.reflect", {"x": ((4, 4), F32)}, lambda b, s, x: ops.nn.pad(x, [1, 1, 2, 0], "reflect"))
    yield case("nn.pixel_shuffle", {"x": (("n", 8, 3, 3), F32)}, lambda b, s, x: ops.nn.pixel_shuffle(x, 2))
    yield case("nn.prelu", {"x": (("n", 4, 3), F32), "a": ((4,), F32)}, lambda b, s, x, a: ops.nn.prelu(x, a, 1))
    yield case("image.resize2d", {"x": (("n", 3, "h", 8), F32)}, lambda b, s, x: ops.image.resize2d(x, (s["h"] * 2, 16)))
    yield case("image.resize2d.region", {"x": ((1, 3, 8, 8), F32)},
               lambda b, s, x: ops.image.resize2d(x, 16, (0.0, 0.0, 1.0, 1.0), method="cubic", out_dtype="float16"))
    yield case("image.resize3d", {"x": ((1, 3, 4, 4, 4), F32)}, lambda b, s, x: ops.image.resize3d(x, (8, 8, 8)))
    yield case("image.grid_sample", {"x": (("n", 3, 8, 8), F32), "g": (("n", 2, 4, 4), F32)}, lambda b, s, x, g: ops.image.grid_sample(x, g))
    yield case("image.affine_grid", {"x": (("n", 2, 3), F32)}, lambda b, s, x: ops.image.affine_grid(x, (4, 5)))
    pool = {"o": ((1, 3, 4, 4), F32), "x": ((1, 3, 8, 8), F32)}
    yield case("grad.avg_pool2d", pool, lambda b, s, o, x: ops.grad.avg_pool2d_backward(o, x, (2, 2), (2, 2)))
    yield case("grad.max_pool2d", pool, lambda b, s, o, x: ops.grad.max_pool2d_backward(o, x, (2, 2), (2, 2)))
    yield case("grad.nll_loss", {"o": ((), F32), "x": ((3, 4), F32), "y": ((3,), I64), "w": ((4,), F32)},
               lambda b, s, o, x, y, w: ops.grad.nll_loss_backward(o, x, y, w))
    yield case("grad.take", {"o": ((2, 3), F32), "x": ((4, 3), F32), "i": ((2,), I64)}, lambda b, s, o, x, i: ops.grad.take_backward(o, x, i, 0))
    yield case("vision.all_class_nms", {"b": ((1, 5, 4), F32), "s": ((1, 2, 5), F32), "m": ((1,), I64), "i": ((1,), F32), "t": ((1,), F32)},
               lambda b, s, boxes, scores, m, i, t: ops.vision.all_class_non_max_suppression(boxes, scores, m, i, t))
    yield case("vision.get_valid_counts", {"x": ((1, 5, 6), F32)}, lambda b, s, x: ops.vision.get_valid_counts(x, 0.5))
    yield case("vision.multibox", {"c": ((1, 3, 5), F32), "l": ((1, 20), F32), "a": ((1, 5, 4), F32)},
               lambda b, s, c, l, a: ops.vision.multibox_transform_loc(c, l, a))
    yield case("vision.nms", {"x": ((1, 5, 6), F32), "c": ((1,), I32), "i": ((1, 5), I32)},
               lambda b, s, x, c, i: ops.vision.non_max_suppression(x, c, i, return_indices=False))
    yield case("vision.roi_align", {"x": ((1, 3, 8, 8), F32), "r": (("n", 5), F32)}, lambda b, s, x, r: ops.vision.roi_align(x, r, (3, 3), 1.0))
    yield case("vision.roi_pool", {"x": ((1, 3, 8, 8), F32), "r": ((2, 5), F32)}, lambda b, s, x, r: ops.vision.roi_pool(x, r, (3, 3), 0.5))


def calls():
    x = {"x": (("n", 4), F32)}
    yield case("ccl.allreduce", x, lambda b, s, x: ops.ccl.allreduce(x, "sum"))
    yield case("ccl.allgather", {"x": ((4, 4), F32)}, lambda b, s, x: ops.ccl.allgather(x, 2))
    yield case("ccl.broadcast", x, lambda b, s, x: ops.ccl.broadcast_from_worker0(x))
    yield case("ccl.scatter", {"x": ((4, 4), F32)}, lambda b, s, x: ops.ccl.scatter_from_worker0(x, 2, 0))
    yield case("memory.view", {"x": ((4, 4), F32)}, lambda b, s, x: ops.memory.view(x, (2, 2), I32, 16))
    yield case("memory.view.dtype", x, lambda b, s, x: ops.memory.view(x, dtype=I32))
    yield case("wrap_param", x, lambda b, s, x: ops.wrap_param(relax.const(np.ones((2, 2), "float16")), F32))
    yield case("null_value", x, lambda b, s, x: ops.null_value())
    yield case("print", x, lambda b, s, x: ops.print(x, format="x = {}"), dataflow=False)
    yield case("assert_op", {"x": ((), "bool"), "y": ((2,), F32)}, lambda b, s, x, y: ops.assert_op(x, [y], format="bad {}"), dataflow=False)
    yield case("call_pure_packed", x, lambda b, s, x: ops.call_pure_packed("f", x, tvm.ir.StringImm("s"), ty_args=[x.ty]))
    yield case("call_inplace_packed", x, lambda b, s, x: ops.call_inplace_packed("f", x, inplace_indices=[0], ty_args=[x.ty]))
    yield case("call_dps_packed", x, lambda b, s, x: relax.call_dps_packed("f", [x], out_ty=[x.ty, relax.TensorType((4,), "int8")]))
    yield case("call_packed", x, lambda b, s, x: relax.Call(relax.ExternFunc("g"), [x, relax.ShapeExpr([1, 2])], ty_args=[x.ty]), dataflow=False)
    yield case("call_builtin", x, lambda b, s, x: ops.call_builtin_with_ctx("vm.builtin.f", [x], ty_args=[relax.AnyType()]), dataflow=False)


def modules():
    for family in (elementwise, shapes_and_data, networks, calls):
        yield from family()
