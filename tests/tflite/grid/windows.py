"""Cases of convolutions, products and pools."""
from grid.elementwise import ACTIVATIONS, MICRO_ACTIVATIONS
from grid.maker import NONE, Case, float32, options

SAME, VALID = 0, 1


def out_size(size, kernel, stride, dilation, padding):
    extent = (kernel - 1) * dilation + 1
    return -(-size // stride) if padding == SAME else (size - extent + stride) // stride


def axis_of(m, stride=None, dilations=(1, 1, 1, 2, 3)):
    """Size, kernel, stride and dilation of an axis; the size is at least that of the window."""
    kernel, dilation = m.integer(1, 4), m.pick(dilations)
    stride = m.integer(1, 3) if stride is None else stride
    return (kernel - 1) * dilation + m.integer(1, 6), kernel, stride, dilation


def weights_of(m, shape, axis, channels, wtype, low=None):
    """Quantized weights, with one scale or one per channel."""
    per_channel = m.chance()
    low, high = (-8, 7) if wtype == "int4" else (-127, 127)
    scales = [m.scale(1e-3, 0.1) for _ in range(channels if per_channel else 1)]
    return m.tensor(shape, wtype, scales, [0] * len(scales), constant=True, axis=axis, low=low,
                    high=high)


def bias_of(m, dtype, weights, channels, in_scale, wide):
    """A bias in units of the sums, or none."""
    if m.chance(0.2):
        return None
    scales = [float32(in_scale * s) for s in weights.scale]
    values = [m.integer(-3000, 3000) for _ in range(channels)]
    return m.tensor([channels], "int64" if wide else "int32", scales, [0] * len(scales),
                    constant=True, values=values, axis=0)


def out_scale(m, in_scale, weights, taps, dtype):
    spread = max(weights.scale) * in_scale * (taps ** 0.5) * (7 if weights.dtype == "int4" else 70)
    most = 70 if dtype == "int8" else 15000
    return spread * most / 127 * m.scale(0.3, 2) if dtype == "int8" else spread * m.scale(0.5, 3)


def sums(m, dtype, wtype, shape, weight_shape, axis, channels, taps, narrow=False):
    """Data, weights, bias, and scale and zero point of the result. `narrow`: the bias of int16 data
    may be int32."""
    if dtype == "float32":
        x = m.tensor(shape)
        w = m.tensor(weight_shape, constant=True, low=-1.0, high=1.0)
        b = m.tensor([channels], constant=True) if m.chance(0.8) else None
        return x, w, b, {}
    x = m.quantized(shape, dtype)
    w = weights_of(m, weight_shape, axis, channels, wtype)
    wide = dtype == "int16" and not (narrow and m.chance(0.3))
    b = bias_of(m, dtype, w, channels, x.scale[0], wide)
    zero = m.zero("int8") if dtype == "int8" else 0
    return x, w, b, {"dtype": dtype, "scale": out_scale(m, x.scale[0], w, taps, dtype),
                     "zero": zero}


TYPE_PAIRS = [("int8", "int8"), ("int8", "int8"), ("int8", "int4"), ("int16", "int8"),
              ("float32", "float32")]


def conv(m):
    dtype, wtype = m.pick(TYPE_PAIRS)
    padding = m.pick([SAME, VALID])
    h, kh, sh, dh = axis_of(m)
    w, kw, sw, dw = axis_of(m)
    groups = m.pick([1, 1, 1, 2, 3]) if wtype != "int4" else 1
    inner = m.integer(1, 4)
    outer = groups * m.integer(1, 4)
    shape = [m.integer(1, 2), h, w, groups * inner]
    x, k, b, more = sums(m, dtype, wtype, shape, [outer, kh, kw, inner], 0, outer, kh * kw * inner, narrow=True)
    bias_type = m.pick([0, 2]) if b is None and dtype == "int16" else 0
    y = m.result([shape[0], out_size(h, kh, sh, dh, padding), out_size(w, kw, sw, dw, padding),
                  outer], **more)
    return Case(3, [x, k, b], [y],
                options(1, padding=padding, stride_h=sh, stride_w=sw, dilation_h=dh,
                        dilation_w=dw, activation=m.pick(MICRO_ACTIVATIONS),
                        bias_type=bias_type))


def depthwise(m):
    dtype, wtype = m.pick(TYPE_PAIRS)
    padding = m.pick([SAME, VALID])
    stride = m.integer(1, 3)
    h, kh, _, dh = axis_of(m)
    w, kw, _, dw = axis_of(m)
    channels, many = m.integer(1, 5), m.integer(1, 3)
    shape = [m.integer(1, 2), h, w, channels]
    x, k, b, more = sums(m, dtype, wtype, shape, [1, kh, kw, channels * many], 3, channels * many,
                         kh * kw)
    y = m.result([shape[0], out_size(h, kh, stride, dh, padding),
                  out_size(w, kw, stride, dw, padding), channels * many], **more)
    return Case(4, [x, k, b] if b is not None else [x, k], [y],
                options(2, padding=padding, stride_h=stride, stride_w=stride,
                        depth_multiplier=many, dilation_h=dh, dilation_w=dw,
                        activation=m.pick(MICRO_ACTIVATIONS)))


def fully_connected(m):
    dtype, wtype = m.pick(TYPE_PAIRS)
    inner, outer = m.integer(1, 40), m.integer(1, 8)
    keep = m.chance(0.3)
    shape = [m.integer(1, 3), m.integer(1, 3), inner] if keep else [m.integer(1, 4), inner]
    x, k, b, more = sums(m, dtype, wtype, shape, [outer, inner], 0, outer, inner, narrow=True)
    if k.dtype == "int4" and len(k.scale) > 1:
        k.scale, k.zero = k.scale[:1], [0]
        if b is not None:
            b.scale, b.zero = b.scale[:1], [0]
    y = m.result(shape[:-1] + [outer], **more)
    return Case(9, [x, k, b], [y], options(8, activation=m.pick(MICRO_ACTIVATIONS),
                                           keep_num_dims=int(keep)))


def transpose_conv(m):
    dtype = m.pick(["int8", "int16", "float32"])
    padding = m.pick([SAME, VALID])
    inner, outer = m.integer(1, 4), m.integer(1, 4)
    sizes, kernels, strides = [], [], []
    for _ in range(2):
        kernel, stride = m.integer(1, 4), m.integer(1, 3)
        size = m.integer(1, 5)
        sizes.append((size, size * stride if padding == SAME else
                      (size - 1) * stride + max(kernel, stride)))
        kernels.append(kernel)
        strides.append(stride)
    shape = [m.integer(1, 2), sizes[0][0], sizes[1][0], inner]
    target = [shape[0], sizes[0][1], sizes[1][1], outer]
    x, k, b, more = sums(m, dtype, "int8", shape, [outer] + kernels + [inner], 0, outer,
                         max(1, kernels[0] * kernels[1] * inner // (strides[0] * strides[1])))
    inputs = [m.ints(target), k, x] + ([b] if b is not None else [])
    act = m.pick(MICRO_ACTIVATIONS) if m.chance(0.4) else NONE
    return Case(67, inputs, [m.result(target, **more)],
                options(49, padding=padding, stride_h=strides[0], stride_w=strides[1],
                        activation=act))


def batch_matmul(m):
    return product_of(m, m.pick(["int8", "int16", "float32"]))


def batch_matmul_mixed(m):
    """int16 data with int8 weights."""
    return product_of(m, "int16", "int8")


def product_of(m, dtype, other=None):
    batch = m.shape(1, 2, 3)
    rows, inner, columns = m.integer(1, 5), m.integer(1, 9), m.integer(1, 5)
    adj_x, adj_y = int(m.chance()), int(m.chance())
    a_batch = [1 if m.chance(0.2) else s for s in batch]
    b_batch = [s if t == 1 or m.chance(0.8) else 1 for s, t in zip(batch, a_batch)]
    a_shape = a_batch + ([inner, rows] if adj_x else [rows, inner])
    b_shape = b_batch + ([columns, inner] if adj_y else [inner, columns])
    if dtype == "float32":
        a, b, y = m.tensor(a_shape), m.tensor(b_shape), m.result(batch + [rows, columns])
    else:
        a, b = m.quantized(a_shape, dtype), m.quantized(b_shape, other or dtype,
                                                             zero=0 if other else None)
        most = 70 if "int8" in (dtype, other) else 15000
        scale = a.scale[0] * b.scale[0] * inner ** 0.5 * most * m.scale(0.3, 2)
        y = m.result(batch + [rows, columns], dtype, scale, m.zero(dtype) if dtype == "int8" else 0)
    return Case(126, [a, b], [y], options(101, adj_x=adj_x, adj_y=adj_y))


def pool(code, types):
    def make(m):
        dtype = m.pick(types)
        padding = m.pick([SAME, VALID])
        h, kh, sh, _ = axis_of(m, dilations=(1,))
        w, kw, sw, _ = axis_of(m, dilations=(1,))
        shape = [m.integer(1, 2), h, w, m.integer(1, 4)]
        out = [shape[0], out_size(h, kh, sh, 1, padding), out_size(w, kw, sw, 1, padding), shape[3]]
        x = m.tensor(shape) if dtype == "float32" else m.quantized(shape, dtype)
        return Case(code, [x], [m.like(x, out)],
                    options(5, padding=padding, stride_h=sh, stride_w=sw, filter_height=kh,
                            filter_width=kw, activation=m.pick(
                                ACTIVATIONS if dtype == "uint8" else MICRO_ACTIVATIONS)))
    return make


def conv_3d(m):
    padding = m.pick([SAME, VALID])
    axes = [axis_of(m, dilations=(1, 1, 2)) for _ in range(3)]
    inner, outer = m.integer(1, 3), m.integer(1, 3)
    shape = [1] + [min(a[0], 7) if padding == SAME else a[0] for a in axes] + [inner]
    out = [1] + [out_size(size, k, s, d, padding)
                 for size, (_, k, s, d) in zip(shape[1:4], axes)] + [outer]
    x = m.tensor(shape)
    w = m.tensor([a[1] for a in axes] + [inner, outer], constant=True, low=-1.0, high=1.0)
    b = [m.tensor([outer], constant=True)] if m.chance() else []
    d, h, v = axes
    return Case(132, [x, w] + b, [m.result(out)],
                options(106, padding=padding, stride_d=d[2], stride_h=h[2], stride_w=v[2],
                        dilation_d=d[3], dilation_h=h[3], dilation_w=v[3],
                        activation=m.pick(ACTIVATIONS)))


def conv_3d_transpose(m):
    inner, outer = m.integer(1, 3), m.integer(1, 3)
    padding = m.pick([SAME, VALID])
    sizes, kernels, strides = [], [], []
    for _ in range(3):
        kernel, stride, size = m.integer(1, 3), m.integer(1, 2), m.integer(1, 3)
        sizes.append((size, size * stride if padding == SAME else
                      (size - 1) * stride + max(kernel, stride)))
        kernels.append(kernel)
        strides.append(stride)
    x = m.tensor([1] + [s[0] for s in sizes] + [inner])
    w = m.tensor(kernels + [outer, inner], constant=True, low=-1.0, high=1.0)
    target = [1] + [s[1] for s in sizes] + [outer]
    b = [m.tensor([outer], constant=True)] if m.chance() else []
    return Case(141, [m.ints(target), w, x] + b, [m.result(target)],
                options(106, padding=padding, stride_d=strides[0], stride_h=strides[1],
                        stride_w=strides[2], activation=NONE))


def uint8_conv(depth):
    def make(m):
        padding = m.pick([SAME, VALID])
        h, kh, sh, dh = axis_of(m)
        w, kw, _, dw = axis_of(m)
        channels, outer = m.integer(1, 4), m.integer(1, 4)
        shape = [1, h, w, channels]
        kernel = [1, kh, kw, channels * outer] if depth else [outer, kh, kw, channels]
        made = channels * outer if depth else outer
        x = m.quantized(shape, "uint8")
        k = m.quantized(kernel, "uint8", m.scale(1e-3, 0.1), constant=True)
        b = m.tensor([made], "int32", float32(x.scale[0] * k.scale[0]), 0, constant=True)
        taps = kh * kw * (1 if depth else channels)
        y = m.result([1, out_size(h, kh, sh, dh, padding), out_size(w, kw, sh, dw, padding), made],
                     "uint8", x.scale[0] * k.scale[0] * taps ** 0.5 * 70 * m.scale(0.3, 2),
                     m.zero("uint8"))
        more = {"depth_multiplier": outer} if depth else {}
        return Case(4 if depth else 3, [x, k, b], [y],
                    options(2 if depth else 1, padding=padding, stride_h=sh, stride_w=sh,
                            dilation_h=dh, dilation_w=dw, activation=m.pick(ACTIVATIONS), **more))
    return make


def uint8_fc(m):
    inner, outer = m.integer(1, 30), m.integer(1, 6)
    x = m.quantized([m.integer(1, 3), inner], "uint8")
    k = m.quantized([outer, inner], "uint8", m.scale(1e-3, 0.1), constant=True)
    b = m.tensor([outer], "int32", float32(x.scale[0] * k.scale[0]), 0, constant=True)
    y = m.result([x.shape[0], outer], "uint8",
                 x.scale[0] * k.scale[0] * inner ** 0.5 * 70 * m.scale(0.3, 2), m.zero("uint8"))
    return Case(9, [x, k, b], [y], options(8, activation=m.pick(ACTIVATIONS)))


FAMILIES = {
    "CONV_2D": conv,
    "DEPTHWISE_CONV_2D": depthwise,
    "FULLY_CONNECTED": fully_connected,
    "TRANSPOSE_CONV": transpose_conv,
    "BATCH_MATMUL": batch_matmul, "BATCH_MATMUL_MIXED": batch_matmul_mixed,
    "AVERAGE_POOL_2D": pool(1, ("int8", "int16", "float32")),
    "MAX_POOL_2D": pool(17, ("int8", "int16", "float32")),
    "L2_POOL_2D": pool(12, ("float32",)),
    "AVERAGE_POOL_2D_UINT8": pool(1, ("uint8",)),
    "MAX_POOL_2D_UINT8": pool(17, ("uint8",)),
    "CONV_3D": conv_3d,
    "CONV_3D_TRANSPOSE": conv_3d_transpose,
    "CONV_2D_UINT8": uint8_conv(False),
    "DEPTHWISE_CONV_2D_UINT8": uint8_conv(True),
    "FULLY_CONNECTED_UINT8": uint8_fc,
}
