"""Products, recurrent layers, attention, and quantized operators."""
import element_types as et
from graph import NotInVersion, count


def matmul_shapes(g):
    m, k, n = g.size(), g.size(), g.size()
    form = g.pick(["2", "2", "2", "vec_left", "vec_right", "batch", "batch"])
    if form == "vec_left":
        return [k], [k, n], [n]
    if form == "vec_right":
        return [m, k], [k], [m]
    if form == "2":
        return [m, k], [k, n], [m, n]
    batch = [g.pick([1, 2, 3]) for _ in range(g.rng.randint(1, 2))]
    a, b = g.broadcast(batch), g.broadcast(batch)
    out = []
    for i in range(max(len(a), len(b))):
        sizes = [s[-1 - i] for s in (a, b) if i < len(s)]
        out.insert(0, max(sizes) if 0 not in sizes else 0)
    return a + [m, k], b + [k, n], out + [m, n]


def matmul(g, op):
    dtype = g.type(op)
    a, b, out = matmul_shapes(g)
    g.node(op, [g.like(dtype, a), g.like(dtype, b)], [(dtype, out)])


def matmul_integer(g, op):
    a, b, out = matmul_shapes(g)
    if a[-1] == 0:
        raise NotInVersion(op)  # ONNX Runtime leaves the result as it was
    ta, tb = g.pick(g.types(op, 0)), g.pick(g.types(op, 1))
    x, y = g.fresh(ta, a), g.fresh(tb, b)
    za = g.fresh(ta, []) if g.chance(0.5) else None
    zb = g.fresh(tb, []) if g.chance(0.5) else None
    g.node(op, [x, y, za, zb], [("int32", out)])


def gemm(g, op):
    dtype = g.type(op)
    m, k, n = g.size(), g.size(), g.size()
    ta, tb = g.pick([None, 0, 1]), g.pick([None, 0, 1])
    a = g.like(dtype, [k, m] if ta else [m, k])
    b = g.like(dtype, [n, k] if tb else [k, n])
    c = g.like(dtype, g.broadcast([m, n])) if g.opset < 11 or g.chance(0.6) else None
    floats = dtype in et.FLOATS
    alpha, beta = g.pick([None, 0.5, 2.0, 0.0]), g.pick([None, 0.5, 2.0, 0.0])
    if not floats:
        alpha, beta = g.pick([None, 2.0]), g.pick([None, 1.0])
    g.node(op, [a, b, c], [(dtype, [m, n])], transA=ta, transB=tb, alpha=alpha, beta=beta)


EQUATIONS = ["ij,jk->ik", "ij,kj->ik", "bij,bjk->bik", "ij->ji", "ii->i", "ij->", "ij->i",
             "i,i->", "i,j->ij", "ij,ij->ij", "ij,j", "...ij,...jk->...ik", "b...->...",
             "ijk,k->ij", "bhid,bhjd->bhij", "ij,jk,kl->il"]


def einsum(g, op):
    dtype = g.type(op)
    equation = g.pick(EQUATIONS)
    sizes = {}
    left, _, right = equation.partition("->")
    dots = [g.pick([1, 2])] if "..." in equation else []
    terms = left.split(",")
    letters = [c for c in left if c.isalpha()]
    if not right and "->" not in equation:
        right = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    for c in letters:
        sizes.setdefault(c, g.pick([1, 2, 3, 4]))

    def dims(term):
        shape = []
        i = 0
        while i < len(term):
            if term[i] == ".":
                shape += dots
                i += 3
            else:
                shape.append(sizes[term[i]])
                i += 1
        return shape
    g.node(op, [g.like(dtype, dims(t)) for t in terms], [(dtype, dims(right))], equation=equation)


def det(g, op):
    n = g.pick([1, 2, 3])
    dtype = g.type(op)
    batch = [g.pick([1, 2])] if g.chance(0.4) else []
    g.node(op, [g.fresh(dtype, batch + [n, n], lambda: g.rng.randint(-3, 3) / 1.0)], [(dtype, batch)])


# Activations and whether they take alpha and beta; those that have no defaults need both.
ACTIVATIONS = {"Relu": "", "Tanh": "", "Sigmoid": "", "Affine": "AB", "LeakyRelu": "a",
               "ThresholdedRelu": "a", "ScaledTanh": "AB", "HardSigmoid": "ab", "Elu": "a",
               "Softsign": "", "Softplus": ""}


def recurrent(g, op):
    dtype = g.type(op)
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[op]
    each = {"RNN": 1, "GRU": 2, "LSTM": 3}[op]
    way = g.pick([None, "forward", "reverse", "bidirectional"])
    dirs = 2 if way == "bidirectional" else 1
    steps, batch = g.pick([1, 2, 3, 5]), g.pick([1, 2, 3])
    width, hidden = g.pick([1, 2, 3, 4]), g.pick([1, 2, 3])
    layout = g.pick([None, 0, 0]) if g.opset >= 14 else None
    small = lambda: g.rng.randint(-4, 4) / 8.0  # noqa: E731
    attrs = {"hidden_size": hidden, "direction": way, "layout": layout}
    if g.chance(0.6):
        names = [g.pick(ACTIVATIONS) for _ in range(each * dirs)]
        alphas, betas = [], []
        complete = True
        for name in names:
            kind = ACTIVATIONS[name]
            if "A" in kind or ("a" in kind and g.chance(0.9)):
                if not complete:
                    raise NotInVersion(op)
                alphas.append(g.rng.randint(1, 6) / 8.0)
            elif "a" in kind:
                complete = False
            if "B" in kind or "b" in kind:
                betas.append(g.rng.randint(1, 6) / 8.0)
        attrs["activations"] = names
        attrs["activation_alpha"] = alphas or None
        attrs["activation_beta"] = betas or None
    if g.chance(0.2):
        attrs["clip"] = 0.5
    if op == "GRU":
        attrs["linear_before_reset"] = g.pick([None, 0, 1])
    if op == "LSTM":
        attrs["input_forget"] = g.pick([None, None, 0, 1])
    x = g.fresh(dtype, [steps, batch, width], small, kind=g.pick(["input", "input", "initializer"]))
    w = g.fresh(dtype, [dirs, gates * hidden, width], small)
    r = g.fresh(dtype, [dirs, gates * hidden, hidden], small)
    b = g.fresh(dtype, [dirs, 2 * gates * hidden], small) if g.chance(0.5) else None
    lens = None
    if g.chance(0.3):
        lens = g.fresh("int32", [batch], lambda: g.rng.randint(1, steps))
    state = [dirs, batch, hidden]
    h = g.fresh(dtype, state, small) if g.chance(0.4) else None
    inputs = [x, w, r, b, lens, h]
    outs = [(dtype, [steps, dirs, batch, hidden]), (dtype, state)]
    if op == "LSTM":
        inputs.append(g.fresh(dtype, state, small) if g.chance(0.4) else None)
        inputs.append(g.fresh(dtype, [dirs, 3 * hidden], small) if g.chance(0.3) else None)
        outs.append((dtype, state))
    keep = [g.chance(0.75) for _ in outs]
    keep[g.rng.randrange(len(outs))] = True
    g.node(op, inputs, [o if k else None for o, k in zip(outs, keep)], **attrs)


def attention(g, op):
    dtype = g.type(op)
    if g.opset < 23:
        raise NotInVersion(op)
    b, heads, q, k = g.pick([1, 2]), g.pick([1, 2]), g.pick([1, 2, 4]), g.pick([1, 3, 4])
    kv = heads if g.chance(0.7) else 1
    size, v_size = g.pick([2, 4]), g.pick([2, 3])
    small = lambda: g.rng.randint(-8, 8) / 8.0  # noqa: E731
    new = lambda shape: g.fresh(dtype, shape, small)  # noqa: E731
    flat = g.chance(0.4)
    attrs = {"is_causal": g.pick([None, 0, 1]), "scale": g.pick([None, 0.5]),
             "softcap": g.pick([None, None, 2.0])}
    if flat:
        attrs["q_num_heads"], attrs["kv_num_heads"] = heads, kv
        inputs = [new([b, q, heads * size]), new([b, k, kv * size]), new([b, k, kv * v_size])]
        out = [b, q, heads * v_size]
    else:
        inputs = [new([b, heads, q, size]), new([b, kv, k, size]), new([b, kv, k, v_size])]
        out = [b, heads, q, v_size]
    if g.chance(0.4):
        inputs.append(g.fresh(g.pick(["bool", dtype]), [q, k], kind="initializer"))
        if inputs[-1].dtype == "bool":
            inputs[-1].data[:] = [True] * count(inputs[-1].shape)
    g.node(op, inputs, [(dtype, out)], **attrs)


def rotary(g, op):
    dtype = g.type(op)
    b, s, heads, size = g.pick([1, 2]), g.pick([1, 3]), g.pick([1, 2]), g.pick([2, 4])
    x = g.fresh(dtype, [b, heads, s, size])
    cos = g.fresh(dtype, [b, s, size // 2], lambda: g.rng.randint(-8, 8) / 8.0)
    sin = g.fresh(dtype, [b, s, size // 2], lambda: g.rng.randint(-8, 8) / 8.0)
    g.node(op, [x, cos, sin], [(dtype, x.shape)], interleaved=g.pick([None, 0, 1]))


def quantize(g, op):
    target = g.pick([t for t in ("uint8", "int8", "int16", "uint16")
                     if t in g.types(op, 2, ("uint8", "int8", "int16", "uint16"))])
    shape = g.shape(1, 3)
    axis = None
    scale_shape = []
    if g.opset >= 13 and g.chance(0.4):
        axis = g.axis(len(shape))
        scale_shape = [shape[axis]]
    elif g.chance(0.2):
        scale_shape = []
    x_type = "float"
    scale = lambda: g.pick([0.25, 0.5, 1.0, 2.0])  # noqa: E731
    zero = g.fresh(target, scale_shape, kind="initializer") if g.chance(0.7) else None
    attrs = {"axis": axis}
    if op == "QuantizeLinear":
        target = zero.dtype if zero else "uint8"
        x = g.fresh(x_type, shape)
        s = g.fresh("float", scale_shape, scale, kind="initializer")
        if g.opset >= 19 and g.chance(0.2):
            attrs["saturate"] = 1
        g.node(op, [x, s, zero], [(target, shape)], **attrs)
        return
    x = g.fresh(target, shape)
    s = g.fresh("float", scale_shape, scale, kind="initializer")
    g.node(op, [x, s, zero], [("float", shape)], **attrs)


def dynamic_quantize(g, op):
    x = g.fresh("float", g.shape(1, 3))
    if 0 in x.shape:
        raise NotInVersion(op)
    g.node(op, [x], [("uint8", x.shape), ("float", []), ("uint8", [])])


def qlinear_matmul(g, op):
    a, b, out = matmul_shapes(g)
    if len(a) < 2 or len(b) < 2 or 0 in a + b:
        raise NotInVersion(op)
    ta, tb = g.pick(["uint8", "int8"]), g.pick(["uint8", "int8"])
    ty = ta
    scale = lambda t="float": g.fresh(t, [], None, [g.pick([0.25, 0.5, 1.0])], "initializer")  # noqa: E731
    zero = lambda t: g.fresh(t, [], kind="initializer")  # noqa: E731
    inputs = [g.fresh(ta, a), scale(), zero(ta), g.fresh(tb, b), scale(), zero(tb), scale(), zero(ty)]
    g.node(op, inputs, [(ty, out)])


def qlinear_conv(g, op):
    n, c, m = 1, g.pick([1, 2, 3]), g.pick([1, 2, 4])
    space = [g.pick([3, 4, 5])] * 2
    kernel = [g.pick([1, 2, 3])] * 2
    tx, tw = g.pick(["uint8", "int8"]), g.pick(["uint8", "int8"])
    if tx == "int8":
        tw = "int8"
    one = lambda: g.pick([0.25, 0.5, 1.0])  # noqa: E731
    wide = [m] if g.chance(0.4) else []
    w_scale = g.fresh("float", wide, one, kind="initializer")
    w_zero = g.fresh(tw, wide, lambda: 0 if tw == "int8" else 128, kind="initializer")
    scale = lambda: g.fresh("float", [], one, kind="initializer")  # noqa: E731
    zero = lambda t: g.fresh(t, [], kind="initializer")  # noqa: E731
    bias = g.fresh("int32", [m], kind="initializer") if g.chance(0.5) else None
    out = [n, m] + [s - k + 1 for s, k in zip(space, kernel)]
    inputs = [g.fresh(tx, [n, c] + space), scale(), zero(tx),
              g.fresh(tw, [m, c] + kernel, kind="initializer"), w_scale, w_zero, scale(), zero(tx), bias]
    g.node(op, inputs, [(tx, out)])


OPS = {
    "MatMul": matmul, "MatMulInteger": matmul_integer, "Gemm": gemm, "Einsum": einsum, "Det": det,
    "RNN": recurrent, "GRU": recurrent, "LSTM": recurrent, "Attention": attention,
    "RotaryEmbedding": rotary, "QuantizeLinear": quantize, "DequantizeLinear": quantize,
    "DynamicQuantizeLinear": dynamic_quantize, "QLinearMatMul": qlinear_matmul,
    "QLinearConv": qlinear_conv,
}
