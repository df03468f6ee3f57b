"""Cases of operators that slide windows over images, resample them, or choose boxes in them."""
import numpy as np

DTYPES = ["float32", "float32", "float32", "float64", "float16"]
SPACE = {1: "W", 2: "HW", 3: "DHW"}
LONGEST = {1: 10, 2: 7, 3: 4}


def laid_out(p, sizes, letters):
    """`sizes` by letter, in an order of axes: channels second mostly, last now and then."""
    layout = "NC" + letters if p.chance(0.75) else "N" + letters + "C"
    return layout, tuple(sizes[c] for c in layout)


def window(p, rank, image):
    """Kernel sizes, strides, padding and dilation whose output is not empty."""
    while True:
        kernel = [p.between(1, 3) for _ in image]
        strides = [p.between(1, 3) for _ in image]
        dilation = [p.one_of(1, 1, 2) for _ in image]
        padding = [p.between(0, k // 2) for k in kernel]
        after = padding if p.chance(0.6) else [p.between(0, k // 2) for k in kernel]
        if all(d + a + b >= (k - 1) * s + 1
               for d, a, b, k, s in zip(image, padding, after, kernel, dilation)):
            return kernel, strides, padding + list(after), dilation


def conv(rank, transposed):
    letters = SPACE[rank]

    def case(p):
        groups, dtype = p.one_of(1, 1, 2, 3), p.one_of(DTYPES)
        image = [p.between(1, LONGEST[rank]) for _ in letters]
        kernel, strides, padding, dilation = window(p, rank, image)
        into, out = p.between(1, 3), p.between(1, 3)
        sizes = dict(zip(letters, image), N=p.between(1, 2), C=into * groups)
        layout, shape = laid_out(p, sizes, letters)
        low = dict(zip(letters, kernel), O=out if transposed else out * groups,
                   I=into * groups if transposed else into)
        order = ("IO" if transposed else "OI") + letters
        if not transposed and layout.endswith("C") and p.chance(0.6):
            order = "O" + letters + "I" if p.chance(0.5) else letters + "IO"
        weight = tuple(low[c] for c in order)
        extra = ""
        if transposed:
            layout, shape = "NC" + letters, tuple(sizes[c] for c in "NC" + letters)
            more = [p.between(0, s - 1) for s in strides]
            extra = f"output_padding={more}, "
        name = f"conv{rank}d" + ("_transpose" if transposed else "")
        given = ', out_dtype="float32"' if dtype == "float16" and p.chance(0.5) else ""
        p.slack = 4.0
        return (f'R.nn.{name}({p.drawn(shape, dtype)}, {p.drawn(weight, dtype)}, strides={strides}, '
                f'padding={padding}, {extra}dilation={dilation}, groups={groups}, '
                f'data_layout="{layout}", kernel_layout="{order}"{given})')
    return case


def pool_parts(p, rank, dtypes):
    letters = SPACE[rank]
    image = [p.between(1, LONGEST[rank]) for _ in letters]
    kernel, strides, padding, dilation = window(p, rank, image)
    layout, shape = laid_out(p, dict(zip(letters, image), N=p.between(1, 2), C=p.between(1, 3)), letters)
    ceil, count = p.chance(0.3), p.chance(0.5)
    text = (f"pool_size={kernel}, strides={strides}, padding={padding}, dilation={dilation}, "
            f'ceil_mode={ceil}, count_include_pad={count}, layout="{layout}"')
    steps = [(d + padding[i] + padding[i + rank] - (kernel[i] - 1) * dilation[i] - 1) for i, d in enumerate(image)]
    sizes = [(-(-n // s) if ceil else n // s) + 1 for n, s in zip(steps, strides)]
    if ceil:  # no window starts in the padding after the image
        sizes = [min(n, -(-(d + a) // s)) for n, d, a, s in zip(sizes, image, padding, strides)]
    grad = shape[:2] + tuple(sizes) if layout[1] == "C" else shape[:1] + tuple(sizes) + shape[-1:]
    return shape, grad, p.one_of(dtypes), text


def pool(kind, rank):
    def case(p):
        dtypes = DTYPES + ["int32", "int8"] if kind == "max" else DTYPES
        shape, _, dtype, text = pool_parts(p, rank, dtypes)
        return f"R.nn.{kind}_pool{rank}d({p.drawn(shape, dtype)}, {text})"
    return case


def pool_backward(kind):
    def case(p):
        shape, grad, dtype, text = pool_parts(p, 2, ["float32", "float64"])
        return f"R.grad.{kind}_pool2d_backward({p.drawn(grad, dtype)}, {p.drawn(shape, dtype)}, {text})"
    return case


def adaptive(rank):
    letters = SPACE[rank]

    def case(p):
        sizes = {c: p.between(1, LONGEST[rank]) for c in letters}
        layout, shape = laid_out(p, dict(sizes, N=p.between(1, 2), C=p.between(1, 3)), letters)
        wanted = [p.between(1, 5) for _ in letters]
        if p.chance(0.5):  # windows of one size that tile the image
            sizes = {c: w * p.between(1, 2) for c, w in zip(letters, wanted)}
            layout, shape = laid_out(p, dict(sizes, N=p.between(1, 2), C=p.between(1, 3)), letters)
        out = "" if p.chance(0.1) else f"output_size={wanted}, "
        uneven = out and any(sizes[c] % w for c, w in zip(letters, wanted))
        p.note = "windows of several sizes" if uneven else ""
        return f'R.nn.adaptive_avg_pool{rank}d({p.drawn(shape, p.one_of(DTYPES))}, {out}layout="{layout}")'
    return case


TRANSFORMS = ["half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "tf_half_pixel_for_nn",
              "tf_crop_and_resize"]


def resize(rank):
    letters = SPACE[rank]

    def case(p):
        method = p.one_of("nearest_neighbor", "linear", "linear", "cubic")
        transform = p.one_of(TRANSFORMS)
        rounding = p.one_of("round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil") \
            if method == "nearest_neighbor" else p.one_of("round", "")
        sizes = {c: p.between(1, LONGEST[rank]) for c in letters}
        layout, shape = laid_out(p, dict(sizes, N=p.between(1, 2), C=p.between(1, 2)), letters)
        out = [p.between(1, 8 if rank == 2 else 5) for _ in letters]
        roi = ""
        if transform == "tf_crop_and_resize":
            starts = [p.one_of(0.0, 0.125, 0.25, -0.25) for _ in letters]
            roi = f"roi={starts + [start + p.one_of(0.5, 0.625, 1.25) for start in starts]}, "
        p.slack = 500.0  # TVM's places between pixels are float32 whatever the data are
        more = p.one_of("", ", cubic_alpha=-0.5", ", cubic_exclude=1", ", extrapolation_value=2.0")
        return (f'R.image.resize{rank}d({p.drawn(shape, p.one_of("float32", "float32", "float64"))}, '
                f'({", ".join(map(str, out))}), {roi}layout="{layout}", method="{method}", '
                f'coordinate_transformation_mode="{transform}", rounding_method="{rounding}"{more})')
    return case


def affine_grid(p):
    rank = p.one_of(2, 2, 3)
    theta = p.drawn((p.between(1, 3), rank, rank + 1), p.one_of("float32", "float64"), low=-1, high=1)
    size = ", ".join(str(p.between(2, 5)) for _ in range(rank))
    p.slack = 100.0  # TVM's places between -1 and 1 are float32 whatever the data are
    return f"R.image.affine_grid({theta}, ({size}), align_corners={p.one_of(True, True, False)})"


def grid_sample(p):
    rank, batch = p.one_of(2, 2, 3), p.between(1, 2)
    image = tuple(p.between(2, 5) for _ in range(rank))
    data = p.drawn((batch, p.between(1, 2)) + image, "float32")
    out = tuple(p.between(1, 4) for _ in range(rank))
    grid = p.drawn((batch, rank) + out, "float32", low=-1.4, high=1.4)
    method = p.one_of("bilinear", "nearest") if rank == 3 else p.one_of("bilinear", "nearest", "bicubic")
    return (f'R.image.grid_sample({data}, {grid}, method="{method}", layout="{"NCHW" if rank == 2 else "NCDHW"}", '
            f'padding_mode="{p.one_of("zeros", "border", "reflection")}", align_corners={p.one_of(True, False)})')


def regions(p, image, batch):
    """Rows of (image, x1, y1, x2, y2): boxes in an image that is as large as `image`."""
    count = p.between(1, 4)
    corners = np.sort(p.numbers.uniform(0, 2 * image, (count, 2, 2)), axis=1).reshape(count, 4)
    return np.concatenate([p.numbers.integers(0, batch, (count, 1)), corners], axis=1).astype("float32")


def roi(name):
    def case(p):
        size, batch = p.between(4, 8), p.between(1, 2)
        layout = "NCHW" if name == "roi_pool" or p.chance(0.7) else "NHWC"
        channels = p.between(1, 2)
        shape = (batch, channels, size, size) if layout == "NCHW" else (batch, size, size, channels)
        pooled = [p.between(1, 3), p.between(1, 3)]
        boxes = regions(p, size, batch)
        more = "" if name == "roi_pool" else (f', sample_ratio={p.one_of(-1, 1, 2)}, aligned={p.one_of(True, False)}, '
                                              f'mode="{p.one_of("avg", "max")}"')
        layout_text = f', layout="{layout}"'
        return (f'R.vision.{name}({p.drawn(shape, "float32")}, {p.tensor(boxes)}, pooled_size={pooled}, '
                f'spatial_scale=0.5{more}{layout_text})')
    return case


def scored_boxes(p, batch, count):
    """(batch, count, 6): class, score, two corners; no two scores are the same."""
    corners = p.numbers.uniform(0, 1, (batch, count, 2))
    sizes = p.numbers.uniform(0.1, 0.6, (batch, count, 2))
    scores = np.stack([p.numbers.permutation(count) / count + 0.01 for _ in range(batch)])
    classes = p.numbers.integers(0, 2, (batch, count))
    return np.concatenate([classes[..., None], scores[..., None], corners, corners + sizes], axis=-1).astype("float32")


def get_valid_counts(p):
    boxes = scored_boxes(p, p.between(1, 3), p.between(1, 6))
    return (f"R.vision.get_valid_counts({p.tensor(boxes)}, score_threshold={p.one_of(0.0, 0.3, 0.6)}, "
            f"id_index={p.one_of(0, -1)}, score_index=1)")


def non_max_suppression(p):
    batch, count = p.between(1, 2), p.between(1, 6)
    boxes = scored_boxes(p, batch, count)
    valid = p.tensor(p.numbers.integers(0, count + 1, (batch,)).astype("int32"))
    indices = p.tensor(np.tile(np.arange(count, dtype="int32"), (batch, 1)))
    return (f"R.vision.non_max_suppression({p.tensor(boxes)}, {valid}, {indices}, "
            f"max_output_size={p.one_of(-1, 2)}, iou_threshold={p.one_of(0.5, 0.2)}, "
            f"force_suppress={p.one_of(True, False)}, top_k={p.one_of(-1, 3)}, coord_start=2, score_index=1, "
            f"id_index=0, return_indices={p.one_of(True, False)}, "
            f"invalid_to_bottom={p.one_of(False, True)})")


def all_class_non_max_suppression(p):
    batch, classes, count = p.between(1, 2), p.between(1, 3), p.between(1, 5)
    boxes = scored_boxes(p, batch, count)[..., 2:]
    scores = p.numbers.random((batch, classes, count)).astype("float32")
    limits = [np.array(p.one_of(1, 3, 10), "int64"), np.array(p.one_of(0.3, 0.6), "float32"),
              np.array(p.one_of(0.0, 0.4), "float32")]
    most = f'R.const({limits[0]}, "int64")' if p.chance(0.7) else p.tensor(np.atleast_1d(limits[0]))
    p.note = "" if most.startswith("R") else "most boxes known at run time"
    p.rows_in_last = True
    rest = ", ".join(p.tensor(np.atleast_1d(a)) for a in limits[1:])
    return f"R.vision.all_class_non_max_suppression({p.tensor(boxes)}, {p.tensor(scores)}, {most}, {rest})"


def multibox_transform_loc(p):
    batch, classes, anchors = p.between(1, 2), p.between(1, 3), p.between(1, 5)
    boxes = p.numbers.uniform(0, 1, (1, anchors, 4)).astype("float32")
    return (f'R.vision.multibox_transform_loc({p.drawn((batch, classes, anchors), "float32")}, '
            f'{p.drawn((batch, 4 * anchors), "float32")}, {p.tensor(boxes)}, clip={p.one_of(True, False)}, '
            f"threshold={p.one_of(0.0, 0.3)}, variances=[0.1, 0.1, 0.2, 0.2], "
            f"keep_background={p.one_of(True, False)})")


CASES = {
    **{f"relax.nn.conv{r}d": conv(r, False) for r in SPACE},
    **{f"relax.nn.conv{r}d_transpose": conv(r, True) for r in SPACE},
    **{f"relax.nn.{k}_pool{r}d": pool(k, r) for k in ("max", "avg") for r in SPACE},
    **{f"relax.nn.adaptive_avg_pool{r}d": adaptive(r) for r in SPACE},
    **{f"relax.grad.{k}_pool2d_backward": pool_backward(k) for k in ("max", "avg")},
    "relax.image.resize2d": resize(2), "relax.image.resize3d": resize(3),
    "relax.image.affine_grid": affine_grid, "relax.image.grid_sample": grid_sample,
    "relax.vision.roi_align": roi("roi_align"), "relax.vision.roi_pool": roi("roi_pool"),
    "relax.vision.get_valid_counts": get_valid_counts,
    "relax.vision.non_max_suppression": non_max_suppression,
    "relax.vision.all_class_non_max_suppression": all_class_non_max_suppression,
    "relax.vision.multibox_transform_loc": multibox_transform_loc,
}
