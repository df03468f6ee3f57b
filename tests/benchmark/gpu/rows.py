"""The rows of the table of gpu_speed.py: the program, the reference, and the speed to be reached.

A product is held against cuBLAS, what memory bounds against a copy that moves as many bytes, attention and
networks against PyTorch. `small` rows are the same programs for a machine without a GPU, to try the table there.
"""
from typing import NamedTuple

BYTES = {"float32": 4, "float16": 2, "bfloat16": 2, "int8": 1, "int32": 4}
SHORT = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "int8": "int8"}


class Row(NamedTuple):
    name: str
    text: str  # the program, or the name of a network of tests/peers/export_models.py
    rival: str  # cublas, copy or torch
    rival_text: str = ""  # its program, where it is one
    kernels: str = ""  # text that the CUDA of the program for sm_90a must contain
    operations: float = 0  # multiplications and additions
    moved: int = 0  # bytes that have to be read and written
    aim: float = 0  # the ratio to be reached; 0: none
    least: float = 0  # below which something is wrong
    result: str = ""  # dtype of the first result, which is compared with the rival's
    turned: int = 0  # bytes of inputs and outputs: caches forget them where enough others are read in between
    sizes: dict = {}  # of a network
    products: dict = {}  # of a network, how many of each kind of products.py
    graph: bool = False  # the runs come from a CUDA graph
    torch: dict = {}  # what torch_rival.py is told


HEAD = """from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main({params}):
        with R.dataflow():
{lines}
            R.output(y)
        return y
"""


def program(params, lines):
    listed = ", ".join(f'{name}: R.Tensor({shape}, "{dtype}")' for name, shape, dtype in params)
    return HEAD.format(params=listed, lines="\n".join("            " + line for line in lines))


def size_of(shape, dtype):
    total = BYTES[dtype]
    for extent in shape:
        total *= extent
    return total


def called(function, params, shape, dtype):
    names = "".join(f"{name}, " for name, _, _ in params)
    return program(params, [f'y = R.call_dps_packed("{function}", ({names}), out_sinfo=R.Tensor({shape}, "{dtype}"))'])


def product(dtype, n):
    """int8 factors are contiguous along the depth, as tensor cores need them."""
    params = [("x", (n, n), dtype), ("w", (n, n), dtype)]
    result = "int32" if dtype == "int8" else dtype
    lines = ["y = R.matmul(x, w)"]
    if dtype == "int8":
        lines = ["t = R.permute_dims(w)", 'y = R.matmul(x, t, out_dtype="int32")']
    wide = dtype != "float32"
    return Row(f"matmul {SHORT[dtype]} {n}", program(params, lines), "cublas", called("bench.cublas", params, (n, n), result),
               ("wgmma" if n > 64 else "mma") if wide else "lathe/cuda_tiles.h", operations=2.0 * n ** 3,
               aim=0.9 if dtype in ("bfloat16", "float16") else 0, least=0.5 if dtype in ("bfloat16", "float16") else 0,
               result=result, turned=2 * size_of((n, n), dtype) + size_of((n, n), result))


def copied(moved):
    n = moved // 8
    params = [("x", (n,), "float32")]
    return called("bench.copy", params, (n,), "float32")


def bound(name, params, lines, out, kernels, aim=0.85):
    """What is bound by memory: its inputs are read once, its result is written once."""
    moved = sum(size_of(shape, dtype) for _, shape, dtype in params) + size_of(*out)
    return Row(name, program(params, lines), "copy", copied(moved), kernels, moved=moved, aim=aim, turned=moved)


def rows_of_memory(n, m, k):
    for dtype in ("float32", "float16"):
        x = ("x", (n, m), dtype)
        short = SHORT[dtype]
        yield bound(f"softmax {short} {n}x{m}", [x], ["y = R.nn.softmax(x, axis=-1)"], ((n, m), dtype), "lathe/cuda_rows.h")
        yield bound(f"layer norm {short} {n}x{m}", [x, ("g", (m,), dtype), ("b", (m,), dtype)],
                    ["y = R.nn.layer_norm(x, g, b, axes=[-1])"], ((n, m), dtype), "lathe/cuda_rows.h")
        yield bound(f"add and gelu {short} {n}x{m}", [x, ("b", (n, m), dtype)], ["a = R.add(x, b)", "y = R.nn.gelu(a)"],
                    ((n, m), dtype), "lathe/cuda_wide.h")
        yield bound(f"transpose {short} {n}x{m}", [x], ["y = R.permute_dims(x)"], ((m, n), dtype), "x_tile")
    x = ("x", (n, m), "float32")
    for what, axis, out, kernels in (("rows", "axis=-1", (n,), "lathe/cuda_rows.h"), ("columns", "axis=0", (m,), "lathe/cuda_columns.h"),
                                     ("all", "axis=None", (), "part < 1024")):
        yield bound(f"sum of {what} fp32 {n}x{m}", [x], [f"y = R.sum(x, {axis})"], (out, "float32"), kernels)
    yield bound(f"sum of columns fp32 {8 * n}x{m // 32}", [("x", (8 * n, m // 32), "float32")], ["y = R.sum(x, axis=0)"],
                ((m // 32,), "float32"), "lathe/cuda_columns.h")
    yield bound(f"GEMV bf16 1x{k}x{k}", [("x", (1, k), "bfloat16"), ("w", (k, k), "bfloat16")], ["y = R.matmul(x, w)"],
                ((1, k), "bfloat16"), "lathe/cuda_vectors.h")
    yield bound(f"GEMV bf16 1x{k}x{k}, along the depth", [("x", (1, k), "bfloat16"), ("w", (k, k), "bfloat16")],
                ["t = R.permute_dims(w)", "y = R.matmul(x, t)"], ((1, k), "bfloat16"), "lathe/cuda_vectors.h")


def attention(batch, length, heads, width, causal):
    shape = (batch, length, heads, width)
    params = [(name, shape, "float16") for name in "qkv"]
    how = ', causal_mask="TopLeft"' if causal else ""
    seen = 0.5 if causal else 1.0
    return Row(f"attention fp16 {width} x {length}{' causal' if causal else ''}", program(params, [f"y = R.nn.attention(q, k, v{how})"]),
               "torch", kernels="lathe/cuda_mma_attention.h", operations=4.0 * batch * heads * length ** 2 * width * seen,
               result="float16", turned=4 * size_of(shape, "float16"), torch={"what": "attention", "shape": shape, "causal": causal})


def on_cores(count, attentions=0, one_vector=False):
    """Products of a network, but for its last one, which has a row for each image or text."""
    last = {"of few vectors": 1} if one_vector else {}
    return {"on tensor cores": count + (not one_vector), **last, **({"attention on tensor cores": attentions} if attentions else {})}


def network(name, label, sizes, shown, graph, products, **torch):
    return Row(f"{label} {shown}{', graph' if graph else ''}", name, "torch", result="float16", sizes=sizes, products=products, graph=graph,
               torch={"what": name, "graph": graph, **torch})


def all_rows(small=False):
    if small:
        yield from (product(dtype, 64) for dtype in ("bfloat16", "float16", "float32", "int8"))
        yield from rows_of_memory(40, 64, 128)
        yield from (attention(2, 48, 2, 32, causal) for causal in (False, True))
        yield network("resnet_small_half", "ResNet fp16", {"batch": 1}, "1", False, on_cores(9, one_vector=True), form=(10, (1, 1), 8), pixels=32)
        yield network("bert_small_half", "BERT fp16", {"batch": 1, "sequence": 9}, "1x9", True, on_cores(12, 2, one_vector=True), form=(2, 64, 4, 100, 32))
        return
    yield from (product(dtype, n) for n in (4096, 8192) for dtype in ("bfloat16", "float16"))
    yield from (product(dtype, 4096) for dtype in ("float32", "int8"))
    yield from rows_of_memory(8192, 4096, 8192)
    yield from (attention(16384 // length, length, 16, 128, causal) for length in (2048, 8192) for causal in (False, True))
    for batch in (1, 32):
        yield from (network("resnet50_half", "ResNet-50 fp16", {"batch": batch}, f"{batch}", graph, on_cores(53, one_vector=batch == 1))
                    for graph in (False, True))
    for batch, length in ((1, 128), (8, 384)):
        yield from (network("bert_half", "BERT-base fp16", {"batch": batch, "sequence": length}, f"{batch}x{length}", graph,
                            on_cores(72, 12, one_vector=batch == 1))
                    for graph in (False, True))
