"""One-operator programs over dtypes and shapes: each operator that is written, with inputs for which it is defined."""
import itertools

import numpy as np

FLOATS = ["float32", "float64", "float16"]
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
ALL = FLOATS + INTEGERS + ["bool"]
SHAPES = [(2, 3), (), (0,), (1,), (5,), (0, 3), (2, 1, 4), (1, 2, 3, 2)]
PAIRS = [((2, 3), (2, 3)), ((2, 3), (3,)), ((), (4,)), ((2, 1), (1, 3)), ((0, 3), (1,)), ((1,), ())]

UNARY = ("abs negative sign square exp log sqrt rsqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh erf sigmoid "
         "floor ceil round trunc isnan isinf isfinite logical_not bitwise_not nn.relu nn.gelu nn.gelu_tanh nn.silu nn.selu "
         "nn.softplus nn.leakyrelu zeros_like ones_like").split()
BINARY = ("add subtract multiply divide power maximum minimum floor_divide floor_mod mod equal not_equal less less_equal greater "
          "greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor").split()
# Calls of x; the axes are those of a tensor of three axes.
OF_THREE_AXES = """
sum(x, axis=[]) | sum(x) | sum(x, axis=[1]) | sum(x, axis=[-1, 0], keepdims=True) | mean(x, axis=[1]) | mean(x, axis=[])
prod(x, axis=[2]) | max(x, axis=[0]) | max(x) | max(x, axis=[]) | min(x, axis=[-1], keepdims=True) | argmax(x, axis=1)
argmin(x, axis=-1, keepdims=True) | argmax(x) | cumsum(x, axis=1) | cumsum(x, axis=0, exclusive=True) | cumsum(x)
nn.softmax(x, axis=1) | nn.log_softmax(x, axis=-1) | permute_dims(x) | permute_dims(x, axes=[0, -1, 1]) | flip(x, axis=1)
expand_dims(x, axis=[-1, 0]) | squeeze(R.expand_dims(x, axis=[1]), axis=[1]) | flatten(x) | reshape(x, R.shape([4, -1]))
concat((x, x), axis=1) | concat((x, x), axis=None) | stack((x, x), axis=-1) | split(x, 2, axis=0) | split(x, [1], axis=1)
strided_slice(x, axes=[1], begin=[0], end=[2]) | strided_slice(x, axes=[2], begin=[-1], end=[-9], strides=[-2])
tile(x, repeats=[2, 1, 1]) | tile(x, repeats=[2, 2, 1, 1, 1]) | broadcast_to(x, R.shape([2, 2, 3, 4])) | tril(x, 1) | triu(x, -1)
nn.pad(x, pad_width=[0, 0, 1, 0, 0, 2], pad_value=3.0) | nn.pad(x, pad_width=[0, 0, 1, 1, 1, 1], pad_value=300.0)
nn.pad(x, pad_width=[0, 0, 1, 1, 1, 1], pad_mode="reflect") | nn.pad(x, pad_width=[0, 0, 1, 1, 1, 1], pad_mode="replicate")
nn.pad(x, pad_width=[0, 0, 1, 1, 1, 1], pad_mode="circular") | sort(x, axis=1) | sort(x, axis=-1, descending=True)
topk(x, k=2, axis=1) | topk(x, k=9, axis=2, largest=False) | topk(x, k=9, axis=1, ret_type="values") | argsort(x, axis=0)
clip(x, -1000, 1000) | clip(x, -1, 2) | clip(x, 0.5, 1.5) | where(R.equal(x, x), x, x) | full_like(x, R.prim_value(2))
astype(x, "int8") | astype(x, "float32") | astype(x, "bool") | astype(x, "uint8") | astype(x, "int64") | astype(x, "float16")
nn.layer_norm(x, w4, b4, axes=[-1]) | nn.layer_norm(x, w34, b34, axes=[-2, -1]) | nn.layer_norm(x, w43, b43, axes=[-1, -2])
nn.rms_norm(x, w4, axes=[-1]) | nn.rms_norm(x, w34, axes=[1, 2]) | nn.rms_norm(x, w43, axes=[2, 1])
nn.prelu(x, w3, axis=1) | nn.batch_norm(x, w3, b3, b3, w3, axis=1, training=False) | matmul(x, w43) | matmul(x, x4)
einsum((x, w43), subscripts="abc,cd->abd") | einsum((x,), subscripts="abc->cab") | nn.pixel_shuffle(p3, upscale_factor=2)
nn.pixel_shuffle(p5, upscale_factor=2) | nn.pixel_shuffle(p4, upscale_factor=2) | quantize(x, s, z, out_dtype="int8")
nn.conv1d(x, k1) | nn.max_pool1d(x, pool_size=[2]) | nn.avg_pool1d(x, pool_size=[2], padding=[1, 1], count_include_pad=True)
nn.max_pool2d(p4, pool_size=[2, 2], dilation=[2, 1]) | nn.avg_pool2d(p4, pool_size=[2, 2], strides=[2, 2], ceil_mode=True)
nn.avg_pool2d(p4, pool_size=[2, 2], dilation=[1, 2]) | nn.adaptive_avg_pool2d(p4, output_size=[1, 1]) | nn.conv2d(p4, k2, groups=2)
nn.conv2d(p4, k4, padding=[1, 1], dilation=[2, 1]) | nn.conv2d_transpose(p4, k4, strides=[2, 2], output_padding=[1, 1])
image.resize2d(p4, R.shape([6, 4]), method="nearest_neighbor", rounding_method="floor", coordinate_transformation_mode="asymmetric")
image.resize2d(p4, R.shape([5, 7]), method="linear", coordinate_transformation_mode="half_pixel")
image.resize2d(p4, R.shape([5, 7]), method="linear", coordinate_transformation_mode="align_corners", out_dtype="float32")
"""
OTHERS = {"w4": (4,), "b4": (4,), "w3": (3,), "b3": (3,), "w34": (3, 4), "b34": (3, 4), "w43": (4, 3), "b43": (4, 3), "x4": (4,),
          "p3": (4, 3, 3), "p4": (1, 4, 3, 3), "p5": (2, 1, 4, 3, 3), "k1": (2, 3, 2), "k2": (4, 2, 1, 2), "k4": (4, 4, 2, 2), "s": ()}
# Calls of x with the shape (3, 4) and of indices, with the bounds of these.
OF_INDICES = [
    ("take(x, i, axis=1)", (2, 2), 0, 4), ("take(x, i, axis=0)", (), 0, 3), ("take(x, i)", (5,), 0, 12),
    ('take(x, i, axis=1, mode="clip")', (6,), -3, 9), ('take(x, i, axis=0, mode="wrap")', (6,), -7, 9),
    ("gather_elements(x, i, axis=1)", (3, 2), 0, 4), ("gather_nd(x, i)", (5, 2), 0, 3), ("gather_nd(x, i)", (4, 1), 0, 3),
    ("scatter_elements(x, i, u, axis=1)", (3, 1), 0, 4), ('scatter_elements(x, i, u, axis=1, reduction="add")', (3, 1), 0, 4),
    ("one_hot(i, R.prim_value(1), R.prim_value(0), depth=4, axis=-1)", (5,), -2, 7),
    ("one_hot(i, R.prim_value(2.5), R.prim_value(-1.0), depth=3, axis=0)", (2, 2), -4, 4),
    ("one_hot(i, R.prim_value(1), R.prim_value(0), depth=3, axis=1)", (), 0, 3)]
RAW = [
    ("arange", 'R.arange(R.prim_value(1), R.prim_value(7), R.prim_value(2), dtype="{dtype}")'),
    ("full", 'R.full(R.shape([2, 0]), R.const(3, "{dtype}"), dtype="{dtype}")'),
    ("zeros", 'R.zeros(R.shape([2, 3]), dtype="{dtype}")'), ("ones", 'R.ones(R.shape([]), dtype="{dtype}")'),
    ("full of int64", 'R.full(R.shape([2]), R.const(3, "int64"), dtype="{dtype}")')]


def _values(dtype, shape, random, low=-5, high=6):
    if dtype == "bool":
        return random.randint(0, 2, shape).astype(bool)
    if dtype.startswith("float"):
        return np.asarray(random.uniform(low, high, shape)).astype(dtype)
    low = max(low, 0) if dtype.startswith("u") else low
    return np.asarray(random.randint(low, high, shape)).astype(dtype)


def _extremes(dtype, values):
    """The values with the ends of the dtype among them."""
    flat = values.reshape(-1).copy()
    if dtype == "bool" or flat.size < 2:
        return values
    ends = [np.inf, -np.inf] if dtype.startswith("float") else [np.iinfo(dtype).min, np.iinfo(dtype).max]
    flat[:2] = ends
    return flat.reshape(values.shape)


def _program(params, call):
    given = ", ".join(f'{name}: R.Tensor(({"".join(f"{d}, " for d in value.shape)}), "{value.dtype}")'
                      for name, value in params.items())
    return f"from tvm.script import relax as R\n\n\n@R.function\ndef main({given}):\n    y = {call}\n    return y\n"


def _case(name, params, call):
    return name, _program(params, call), params


def cases():
    """Yields names, programs and inputs."""
    random = np.random.RandomState(1)
    for op, dtype in itertools.product(UNARY, ALL):
        for shape in [SHAPES[0], SHAPES[1 + random.randint(len(SHAPES) - 1)]]:
            x = _values(dtype, shape, random)
            if op in ("log", "sqrt", "rsqrt", "acosh") and dtype.startswith("float"):
                x = np.abs(x) + x.dtype.type(1)
            if op in ("asin", "acos", "atanh") and dtype.startswith("float"):
                x = x / x.dtype.type(8)
            if op.startswith("is") or op in ("abs", "nn.relu", "sign"):
                x = _extremes(dtype, x)
            yield _case(f"{op} {dtype} {shape}", {"x": x}, f"R.{op}(x)")
    for op, dtype in itertools.product(BINARY, ALL):
        for a, b in [PAIRS[0], PAIRS[1 + random.randint(len(PAIRS) - 1)]]:
            x, y = _values(dtype, a, random), _values(dtype, b, random)
            if "div" in op or "mod" in op:
                y = np.where(y == 0, y.dtype.type(3), y)
                x = _extremes(dtype, x) if "floor" in op and not dtype.startswith("float") else x
                y = np.where(y == y.dtype.type(-1), y.dtype.type(2), y) if dtype.startswith("int") else y
            if op == "power":
                x, y = np.abs(x) if dtype != "bool" else x, np.abs(y) if dtype != "bool" else y
            yield _case(f"{op} {dtype} {a} {b}", {"x": x, "y": y}, f"R.{op}(x, y)")
    calls = [call.strip() for line in OF_THREE_AXES.strip().splitlines() for call in line.split("|")]
    for call, dtype in itertools.product(calls, ALL):
        words = call.replace("(", " ").replace(")", " ").replace(",", " ").split()
        # The values of casts that the other dtype does not have are not defined in ONNX.
        low = 0 if call.startswith("astype") else -5
        params = {"x": _values(dtype, (2, 3, 4), random, low)} if "x" in words else {}
        for name, shape in OTHERS.items():
            if name in words:
                params[name] = _values(dtype, shape, random, 1, 4)
        if "z" in words:
            params["z"] = _values("int8", (), random, 0, 3)
        yield _case(f"{call} {dtype}", params, f"R.{call}")
    for (call, shape, low, high), dtype in itertools.product(OF_INDICES, INTEGERS):
        for of in ("float32", "int8") if "x" in call else ("",):
            params = {"x": _values(of, (3, 4), random)} if of else {}
            params["i"] = _values(dtype, shape, random, low, high)
            if ", u" in call:
                params["u"] = _values(of, shape, random)
            yield _case(f"{call} {of} {dtype}", params, f"R.{call}")
    for (name, call), dtype in itertools.product(RAW, ALL):
        yield _case(f"{name} {dtype}", {}, call.format(dtype=dtype))
