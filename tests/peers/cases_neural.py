"""Cases of normalisations, losses, attention and dropout."""
import numpy as np

from program import FLOATS

WIDE = ["float32", "float32", "float64", "float16"]


def softmax(name):
    def case(p):
        shape = p.shape(1)
        return f"R.nn.{name}({p.drawn(shape, p.one_of(FLOATS))}, axis={p.axis(len(shape))})"
    return case


def affine(p, shape, dtype):
    """gamma and beta, and the flags whether they count; mostly without effect where they do not,
    so that it does not matter that TVM has no eyes for the flags."""
    scale, center = p.one_of(True, True, False), p.one_of(True, True, False)
    gamma, beta = p.array(shape, dtype), p.array(shape, dtype)
    if not scale and p.chance(0.8):
        gamma = np.ones_like(gamma)
    if not center and p.chance(0.8):
        beta = np.zeros_like(beta)
    text = f"epsilon={p.one_of(1e-05, 0.001, 0.1)}, center={center}, scale={scale}"
    return f"{p.tensor(gamma)}, {p.tensor(beta)}", text


def batch_norm(p):
    shape, dtype = p.shape(2, 5, empty=0), p.one_of("float32", "float32", "float64")
    axis = p.between(0, len(shape) - 1)
    size = (shape[axis],)
    parts, flags = affine(p, size, dtype)
    return (f"R.nn.batch_norm({p.drawn(shape, dtype)}, {parts}, {p.drawn(size, dtype)}, "
            f"{p.drawn(size, dtype, low=0.25, high=3)}, axis={axis}, {flags}, "
            f"momentum={p.one_of(0.1, 0.5, 1.0)}, training={p.one_of(True, False)})")


def layer_norm(p):
    shape, dtype = p.shape(1, 4, empty=0.03), p.one_of(WIDE)
    count = p.between(1, len(shape))
    axes = list(range(len(shape) - count, len(shape)))
    last = shape[len(shape) - count:]
    axes = [a - len(shape) for a in axes] if p.chance(0.5) else axes
    parts, flags = affine(p, last, dtype)
    return f"R.nn.layer_norm({p.drawn(shape, dtype)}, {parts}, axes={axes}, {flags})"


def rms_norm(p):
    shape, dtype = p.shape(1, 4, empty=0), p.one_of(WIDE)
    count = p.between(1, len(shape))
    axes = [a - len(shape) for a in range(len(shape) - count, len(shape))]
    return (f"R.nn.rms_norm({p.drawn(shape, dtype)}, {p.drawn(shape[-count:], dtype)}, axes={axes}, "
            f"epsilon={p.one_of(1e-05, 0.01)})")


def group_norm(p):
    groups, each = p.between(1, 3), p.between(1, 3)
    shape = (p.between(1, 3), groups * each) + p.shape(1, 2, empty=0)
    dtype = p.one_of(WIDE)
    parts, flags = affine(p, (groups * each,), dtype)
    return (f"R.nn.group_norm({p.drawn(shape, dtype)}, {parts}, num_groups={groups}, channel_axis=1, "
            f"axes={list(range(2, len(shape)))}, {flags})")


def instance_norm(p):
    shape, dtype = p.shape(3, 4, empty=0), p.one_of(WIDE)
    parts, flags = affine(p, (shape[1],), dtype)
    return (f"R.nn.instance_norm({p.drawn(shape, dtype)}, {parts}, channel_axis=1, "
            f"axes={list(range(2, len(shape)))}, {flags})")


def dropout(p):
    return f"R.nn.dropout({p.drawn(p.shape(), p.one_of(FLOATS))}, rate={p.one_of(0.5, 0.1)})"


def cross_entropy(p):
    shape, dtype = p.shape(1, 2, empty=0), p.one_of("float32", "float64")
    return f"R.nn.cross_entropy_with_logits({p.drawn(shape, dtype)}, {p.drawn(shape, dtype)})"


def loss_parts(p):
    """The predictions' shape, and the operands and attributes of a negative log likelihood."""
    classes, dtype = p.between(1, 5), p.one_of("float32", "float64")
    batch, rest = p.between(1, 4), p.shape(0, 2, empty=0)
    shape = (batch, classes) + rest if p.chance(0.8) else (classes,)
    target = shape[:-1] if len(shape) == 1 else (batch,) + rest
    ignore = p.one_of(-100, -1, 0)
    targets = p.indices(target, classes)
    if ignore < 0 and p.chance(0.5):
        targets = np.where(p.numbers.random(target) < 0.3, ignore, targets).astype(targets.dtype)
    if classes == 1 and ignore == 0 or (targets == ignore).all():
        ignore = -100  # the mean of no elements is not defined
        targets = np.maximum(targets, 0)
    reduction = p.one_of("none", "sum", "mean")
    operands = [p.drawn(shape, dtype), p.tensor(targets)]
    if p.chance(0.5):
        operands.append(p.drawn((classes,), dtype, low=0.25, high=2))
    scalar = reduction != "none"
    return operands, f'reduction="{reduction}", ignore_index={ignore}', () if scalar else target, dtype


def nll_loss(p):
    operands, attributes, _, _ = loss_parts(p)
    return f"R.nn.nll_loss({', '.join(operands)}, {attributes})"


def nll_loss_backward(p):
    operands, attributes, shape, dtype = loss_parts(p)
    return f"R.grad.nll_loss_backward({p.drawn(shape, dtype)}, {', '.join(operands)}, {attributes})"


def attention_parts(p):
    dtype = p.one_of("float32", "float32", "float16")
    batch, heads = p.between(1, 2), p.between(1, 3)
    queries, keys = p.between(1, 5), p.between(1, 5)
    size, out = p.between(1, 4), p.between(1, 4)
    operands = [p.drawn((batch, queries, heads, size), dtype), p.drawn((batch, keys, heads, size), dtype),
                p.drawn((batch, keys, heads, out), dtype)]
    scale = p.one_of("", ", scale=0.5")
    mask = p.one_of("", ', causal_mask="TopLeft"', ', causal_mask="BottomRight"')
    if "BottomRight" in mask and queries > keys:
        mask = ""  # rows that may look at nothing
    if mask and p.chance(0.4):
        mask += f", window_size={p.between(1, 4)}"
        mask = mask.replace("TopLeft", "BottomRight") if queries <= keys else ""
    return operands, scale + mask, (batch, heads, queries, keys), dtype


def attention(p):
    operands, attributes, _, _ = attention_parts(p)
    return f"R.nn.attention({', '.join(operands)}{attributes})"


def attention_bias(p):
    operands, attributes, scores, dtype = attention_parts(p)
    shape = tuple(1 if p.chance(0.3) else d for d in scores[:3]) + scores[3:]
    return f"R.nn.attention_bias({', '.join(operands)}, {p.drawn(shape, dtype)}{attributes})"


def attention_var_len(p):
    heads, size, out = p.between(1, 2), p.between(1, 4), p.between(1, 4)
    lengths = [p.between(1, 4) for _ in range(p.between(1, 3))]
    total = sum(lengths)
    starts = p.tensor(np.cumsum([0] + lengths).astype("int32"))
    longest = p.tensor(np.array(max(lengths), "int32"))
    parts = [p.drawn((1, total, heads, d), "float32") for d in (size, size, out)]
    return f"R.nn.attention_var_len({', '.join(parts)}, {starts}, {longest}{p.one_of('', ', scale=0.5')})"


CASES = {
    "relax.nn.softmax": softmax("softmax"), "relax.nn.log_softmax": softmax("log_softmax"),
    "relax.nn.batch_norm": batch_norm, "relax.nn.layer_norm": layer_norm,
    "relax.nn.rms_norm": rms_norm, "relax.nn.group_norm": group_norm,
    "relax.nn.instance_norm": instance_norm, "relax.nn.dropout": dropout,
    "relax.nn.cross_entropy_with_logits": cross_entropy, "relax.nn.nll_loss": nll_loss,
    "relax.grad.nll_loss_backward": nll_loss_backward, "relax.nn.attention": attention,
    "relax.nn.attention_bias": attention_bias, "relax.nn.attention_var_len": attention_var_len,
}
