"""Quantized operators of com.microsoft with random operands."""
import ml_dtypes
import numpy as np

from dice import Node


def qlinear_binary(d):
    t, shape = d.pick((np.uint8, np.int8)), d.shape()
    other = d.broadcast(shape)
    return Node([d.whole(t, *shape), d.scale(), d.zero(t), d.whole(t, *other), d.scale(), d.zero(t),
                 d.scale(), d.zero(t)], free=(0, 3))


def qlinear_concat(d):
    t, shape = d.pick((np.uint8, np.int8)), d.shape(1, 4)
    axis = d.r.randint(len(shape))
    inputs = [d.scale(), d.zero(t)]
    for _ in range(d.size(1, 3)):
        part = list(shape)
        part[axis] = d.size()
        inputs += [d.whole(t, *part), d.scale(), d.zero(t)]
    return Node(inputs, free=range(2, len(inputs), 3), axis=axis - (len(shape) if d.chance(.3) else 0))


def qlinear_unary(d, **attributes):
    t = d.pick((np.uint8, np.int8))
    return Node([d.whole(t, *d.shape()), d.scale(), d.zero(t), d.scale(), d.zero(t)], **attributes)


def qlinear_leaky(d):
    return qlinear_unary(d, alpha=d.pick((None, 0.1, 0.5)))


def qlinear_softmax(d):
    t, shape, opset = d.pick((np.uint8, np.int8)), d.shape(1, 4), d.pick((11, 13))
    axis = d.r.randint(len(shape))
    scale, zero = np.float32(1 / 256), t(0 if t == np.uint8 else -128)
    return Node([d.whole(t, *shape), d.scale(), d.zero(t), np.array(scale), np.array(zero)],
                axis=axis - (len(shape) if d.chance(.3) else 0), opset=opset)


def qlinear_pool(d):
    t, last = d.pick((np.uint8, np.int8)), d.chance(0.4)
    dims = [d.size(3, 7), d.size(3, 7)]
    shape = [d.size(1, 2)] + dims + [d.size()] if last else [d.size(1, 2), d.size()] + dims
    kernel = [d.size(1, 3), d.size(1, 3)]
    pads = [d.r.randint(0, k) for k in kernel * 2] if d.chance(0.5) else None
    return Node([d.whole(t, *shape), d.scale(), d.zero(t), d.scale(), d.zero(t)],
                kernel_shape=kernel, pads=pads, channels_last=int(last),
                strides=d.maybe(.6, [d.size(1, 2), d.size(1, 3)]),
                ceil_mode=d.maybe(.4, 1), count_include_pad=d.maybe(.5, 1))


def qlinear_global_pool(d):
    t, last = d.pick((np.uint8, np.int8)), d.chance(0.4)
    return Node([d.whole(t, d.size(), d.size(), d.size(), d.size()), d.scale(), d.zero(t), d.scale(),
                 d.zero(t)], channels_last=int(last))


def qlinear_where(d):
    t, shape = d.pick((np.uint8, np.int8)), d.shape()
    return Node([d.r.rand(*d.broadcast(shape)) > 0.5, d.whole(t, *shape), d.scale(), d.zero(t),
                 d.whole(t, *d.broadcast(shape)), d.scale(), d.zero(t), d.scale(), d.zero(t)],
                free=(0, 1, 4))


def qlinear_conv(d):
    t, w, last = d.pick((np.uint8, np.int8)), np.int8, d.chance(0.5)
    groups = d.pick((1, 1, 2, 3))
    channels, out = groups * d.size(1, 2), groups * d.size(1, 2)
    dims = [d.size(4, 7) for _ in range(d.pick((1, 2, 2)))]
    x = [d.size(1, 2)] + (dims + [channels] if last else [channels] + dims)
    kernel = [d.size(1, 3) for _ in dims]
    w_scale = d.scale(out) if d.chance(0.5) else d.scale()
    return Node([d.whole(t, *x), d.scale(), d.zero(t), d.whole(w, out, channels // groups, *kernel),
                 w_scale, np.zeros(w_scale.shape, w), d.scale() * 20, d.zero(t),
                 d.maybe(.5, d.r.randint(-500, 500, out).astype(np.int32))], group=groups,
                channels_last=int(last), pads=d.maybe(.5, [d.r.randint(0, 2) for _ in dims * 2]),
                strides=d.maybe(.5, [d.size(1, 2) for _ in dims]),
                dilations=d.maybe(.3, [d.size(1, 2) for _ in dims]))


def nhwc_max_pool(d):
    t = d.pick((np.uint8, np.int8))
    kernel = [d.size(1, 3), d.size(1, 3)]
    pads = [d.r.randint(0, k) for k in kernel * 2] if d.chance(0.5) else None
    return Node([d.whole(t, d.size(1, 2), d.size(3, 7), d.size(3, 7), d.size())], kernel_shape=kernel,
                pads=pads, strides=d.maybe(.6, [d.size(1, 2), d.size(1, 3)]),
                dilations=d.maybe(.3, [d.size(1, 2), 1]), ceil_mode=d.maybe(.4, 1))


def q_gemm(d):
    ta, tb = d.pick((np.uint8, np.int8)), np.int8
    m, k, n = d.size(), d.size(1, 9), d.size()
    a_turned, b_turned = d.chance(0.4), d.chance(0.5)
    per_column = d.chance(0.4)
    b_scale = d.scale(n) if per_column else d.scale()
    bias = d.maybe(.6, d.r.randint(-500, 500, d.pick(([n], [m, n], [1, n]))).astype(np.int32))
    inputs = [d.whole(ta, *((k, m) if a_turned else (m, k))), d.scale(), d.zero(ta),
              d.whole(tb, *((n, k) if b_turned else (k, n))), b_scale, np.zeros(b_scale.shape, tb), bias]
    if d.chance(0.6):
        inputs += [d.scale() * 10, d.zero(ta)]
    return Node(inputs, transA=int(a_turned), transB=int(b_turned), alpha=d.pick((None, 0.5, 2.0)))


def matmul_integer_to_float(d):
    ta, tb = d.pick((np.uint8, np.int8)), d.pick((np.uint8, np.int8))
    m, k, n = d.size(), d.size(1, 9), d.size()
    batch = [d.size(1, 3)] if d.chance(0.4) else []
    scale = d.scale(n) if d.chance(0.4) else d.scale()
    return Node([d.whole(ta, *batch, m, k), d.whole(tb, k, n), d.scale(), scale, d.maybe(.7, d.zero(ta)),
                 d.maybe(.7, d.zero(tb, *scale.shape)), d.maybe(.5, d.real(n))], free=(0, 1))


def dynamic_quantize_matmul(d):
    tb, m, k, n = d.pick((np.uint8, np.int8)), d.size(), d.size(1, 9), d.size()
    scale = d.scale(n) if d.chance(0.4) else d.scale()
    batch = [d.size(1, 3)] if d.chance(0.4) else []
    return Node([d.real(*batch, m, k), d.whole(tb, k, n), scale, d.maybe(.7, d.zero(tb, *scale.shape)),
                 d.maybe(.5, d.real(n))])


def matmul_n_bits(d):
    bits, block = d.pick((4, 4, 8)), d.pick((16, 32))
    k, n = d.pick((16, 32, 40, 64)), d.size(1, 9)
    blocks = -(-k // block)
    zeros = None
    if d.chance(0.6):
        if d.chance(0.6):
            zeros = d.r.randint(0, 256, n * -(-blocks * bits // 8)).astype(np.uint8)
        else:
            zeros = d.r.randint(0, 1 << bits, n * blocks).astype(np.float32)
    # ONNX Runtime reads the zero points of incomplete blocks otherwise.
    group = None if k % block else d.maybe(.15, d.r.randint(0, blocks, blocks * block).astype(np.int32))
    batch = [d.size(1, 3)] if d.chance(0.4) else []
    return Node([d.real(*batch, d.size(), k), d.r.randint(0, 256, (n, blocks, block * bits // 8)).astype(
        np.uint8), d.scale(n * blocks) if d.chance(.5) else d.scale(n, blocks), zeros, group,
        d.maybe(.4, d.real(n))], K=k, N=n, bits=bits, block_size=block)


def gather_block_quantized(d):
    bits, block = d.pick((4, 8)), 16
    rows, columns = d.size(2, 6), d.pick((16, 32, 48))
    data = d.r.randint(0, 256, (rows, columns * bits // 8)).astype(np.uint8)
    scales = d.scale(rows, columns // block)
    zeros = d.r.randint(0, 256, (rows, -(-(columns // block) * bits // 8))).astype(np.uint8)
    if d.chance(0.4):  # elements of their own type
        bits, t = 4, d.pick((ml_dtypes.int4, ml_dtypes.uint4))
        low = -8 if t == ml_dtypes.int4 else 0
        data = d.r.randint(low, low + 16, (rows, columns)).astype(t)
        zeros = d.r.randint(low, low + 16, scales.shape).astype(t)
    indices = d.r.randint(0, rows, d.shape(0 if d.chance(.2) else 1, 2)).astype(d.pick((np.int32, np.int64)))
    return Node([data, indices, scales, d.maybe(.5, zeros)], free=(1,), bits=bits, block_size=block,
                gather_axis=0, quantize_axis=1)


def quantize(d):
    t, shape = d.pick((np.uint8, np.int8, np.uint16, np.int16)), d.shape()
    each = d.chance(.4)
    axis = d.r.randint(len(shape))
    dims = [shape[axis]] if each else []
    return Node([d.real(*shape) * 2, d.scale(*dims), d.zero(t, *dims)], axis=axis if each else None)


def dequantize(d):
    t, shape = d.pick((np.uint8, np.int8, np.uint16, np.int16, np.int32)), d.shape()
    each = d.chance(.4)
    axis = d.r.randint(len(shape))
    dims = [shape[axis]] if each else []
    zero = np.zeros(dims, t) if t == np.int32 else d.zero(t, *dims)
    return Node([d.r.randint(0, 100, shape).astype(t), d.scale(*dims), zero], axis=axis if each else None)


OPS = {
    "QLinearAdd": qlinear_binary, "QLinearMul": qlinear_binary, "QLinearConcat": qlinear_concat,
    "QLinearSigmoid": qlinear_unary, "QLinearLeakyRelu": qlinear_leaky,
    "QLinearSoftmax": qlinear_softmax, "QLinearAveragePool": qlinear_pool,
    "QLinearGlobalAveragePool": qlinear_global_pool, "QLinearWhere": qlinear_where,
    "QLinearConv": qlinear_conv, "NhwcMaxPool": nhwc_max_pool, "QGemm": q_gemm,
    "MatMulIntegerToFloat": matmul_integer_to_float,
    "DynamicQuantizeMatMul": dynamic_quantize_matmul, "MatMulNBits": matmul_n_bits,
    "GatherBlockQuantized": gather_block_quantized, "QuantizeLinear": quantize,
    "DequantizeLinear": dequantize,
}
