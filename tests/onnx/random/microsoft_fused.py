"""Fused operators and other operators of com.microsoft with random operands."""
import numpy as np

from dice import Node


def fused_conv(d):
    groups = d.pick((1, 1, 2))
    channels, out = groups * d.size(1, 3), groups * d.size(1, 3)
    h, w = d.size(4, 7), d.size(4, 7)
    kernel = [d.size(1, 3), d.size(1, 3)]
    activation, params = d.pick(((None, None), ("Relu", None), ("Tanh", None), ("Sigmoid", None),
                                 ("LeakyRelu", [0.2]), ("Clip", [-0.5, 0.75]),
                                 ("HardSigmoid", [0.3, 0.4])))
    sum_ = None
    if d.chance(0.4):
        sum_ = d.real(1, out, h - kernel[0] + 1, w - kernel[1] + 1)
    bias = d.real(out) if sum_ is not None or d.chance(0.6) else None
    return Node([d.real(1, channels, h, w), d.real(out, channels // groups, *kernel), bias, sum_],
                group=groups, activation=activation, activation_params=params, free=(0, 3))


def fused_matmul(d):
    m, k, n = d.size(), d.size(), d.size()
    batch = d.shape(1, 2) if d.chance(0.6) else []
    ta, tb = d.chance(0.4), d.chance(0.4)
    ba, bb = batch and d.chance(0.3), batch and d.chance(0.3)
    a, b = ([k, m] if ta else [m, k]), ([n, k] if tb else [k, n])
    a = a[:1] + batch + a[1:] if ba else batch + a
    b = b[:1] + batch + b[1:] if bb else batch + b
    if ba and ta:
        a = [k] + batch + [m]
    return Node([d.real(*a), d.real(*b)], transA=int(ta), transB=int(tb), transBatchA=int(bool(ba)),
                transBatchB=int(bool(bb)), alpha=d.pick((None, 0.5, 2.0)), free=(0, 1))


def fused_gemm(d):
    m, k, n = d.size(), d.size(), d.size()
    ta, tb = d.chance(0.4), d.chance(0.4)
    activation = d.pick(({}, {"activation": "Relu"}, {"activation": "LeakyRelu", "activation_alpha": .2},
                         {"activation": "Tanh"}, {"activation": "Sigmoid"}))
    return Node([d.real(*((k, m) if ta else (m, k))), d.real(*((n, k) if tb else (k, n))),
                 d.maybe(.7, d.real(*d.broadcast([m, n])))], transA=int(ta), transB=int(tb),
                alpha=d.pick((None, 0.5)), beta=d.pick((None, 2.0)), **activation)


def gelu(d):
    return Node([d.real(*d.shape()) * 3])


def bias_gelu(d):
    shape = d.shape()
    return Node([d.real(*shape), d.real(shape[-1])], free=(0, 1))


def fast_gelu(d):
    shape = d.shape()
    return Node([d.real(*shape), d.maybe(.6, d.real(shape[-1]))], free=(0, 1))


def quick_gelu(d):
    return Node([d.real(*d.shape())], alpha=d.pick((None, 1.0, -1.5)))


def skip_layer_norm(d):
    shape = [d.size(), d.size(), 4 * d.size(1, 3)]
    if d.chance(.2):
        shape = shape[1:]
    skip = [1] + shape[1:] if len(shape) == 3 and d.chance(.2) else shape
    width = shape[-1]
    return Node([d.real(*shape), d.real(*skip), d.real(width), d.maybe(.7, d.real(width)),
                 d.maybe(.5, d.real(width))], outputs=d.pick((1, 4)), epsilon=d.pick((None, 1e-5)),
                free=(0, 1))


def skip_simplified(d):
    shape = [d.size(), d.size(), 4 * d.size(1, 3)]
    return Node([d.real(*shape), d.real(*shape), d.real(shape[-1]), d.maybe(.5, d.real(shape[-1]))],
                outputs=d.pick((1, (0, 2, 3))), epsilon=d.pick((None, 1e-5)), free=(0, 1))


def simplified(d):
    shape = d.shape(2, 4)
    axis = d.pick((-1, -1, len(shape) - 1, -2))
    return Node([d.real(*shape), d.real(*shape[axis:])], domain="", axis=axis, epsilon=1e-5)


def embed_layer_norm(d):
    batch, length, width = d.size(1, 3), d.size(), 4 * d.size(1, 3)
    ids = lambda n: d.r.randint(0, n, (batch, length)).astype(np.int32)
    segments = d.chance(0.6)
    mask = d.maybe(.6, (d.r.rand(batch, length) > .4).astype(np.int32))
    return Node([ids(9), ids(2) if segments else None, d.real(9, width), d.real(8, width),
                 d.real(2, width) if segments else None, d.real(width), d.real(width), mask,
                 d.maybe(.4, ids(8))], outputs=d.pick((1, 2, 3)), free=(0, 1, 7, 8),
                mask_index_type=d.maybe(.2, 0), epsilon=d.pick((None, 1e-5)))


def trilu(d):
    shape = d.shape(2, 4)
    return Node([d.real(*shape), d.maybe(.6, np.array(d.r.randint(-3, 4), np.int64))], upper=d.pick((None, 0, 1)))


def gather_nd(d):
    shape = d.shape(2, 3)
    depth = d.size(1, len(shape))
    rows = [d.r.randint(0, s, 5) for s in shape[:depth]]
    return Node([d.real(*shape), np.stack(rows, -1).astype(np.int64)], free=(0, 1))


def expand_dims(d):
    shape = d.shape(1, 3)
    return Node([d.real(*shape), np.array(d.r.randint(-len(shape) - 1, len(shape) + 1), np.int32)])


def range_(d):
    t = d.pick((np.int32, np.int64, np.float32))
    values = [np.array(v, t) for v in (d.r.randint(-3, 3), d.r.randint(4, 9))]
    return Node(values + [d.maybe(.5, np.array(d.size(1, 2), t))], free=())


def unique(d):
    return Node([d.r.randint(0, 5, d.size(1, 12)).astype(np.float32)], outputs=3)


def pad(d):
    shape = d.shape(1, 3)
    pads = [d.r.randint(0, 3) for _ in shape * 2]
    mode = d.pick((None, "constant", "edge"))
    return Node([d.real(*shape), np.array(pads, np.int64), d.maybe(.5, d.real(1))], mode=mode)


def c_dist(d):
    width = d.size()
    return Node([d.real(d.size(), width), d.real(d.size(), width)],
                metric=d.pick(("euclidean", "sqeuclidean")), free=(0, 1))


OPS = {
    "FusedConv": fused_conv, "FusedMatMul": fused_matmul, "FusedGemm": fused_gemm, "Gelu": gelu,
    "BiasGelu": bias_gelu, "FastGelu": fast_gelu, "QuickGelu": quick_gelu,
    "SkipLayerNormalization": skip_layer_norm,
    "SkipSimplifiedLayerNormalization": skip_simplified,
    "SimplifiedLayerNormalization": simplified, "EmbedLayerNormalization": embed_layer_norm,
    "Trilu": trilu, "GatherND": gather_nd, "ExpandDims": expand_dims, "Range": range_,
    "Unique": unique, "Pad": pad, "CDist": c_dist,
}
