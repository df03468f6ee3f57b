# Attention: heads that share keys, masks, biases, windows, sizes that fill no tile.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(
        q: R.Tensor(("b", "n", 2, 64), "float16"), k: R.Tensor(("b", "m", 2, 64), "float16"), v: R.Tensor(("b", "m", 2, 64), "float16"),
        gq: R.Tensor((1, "n", 4, 40), "bfloat16"), gk: R.Tensor((1, "m", 2, 40), "bfloat16"), gv: R.Tensor((1, "m", 1, 24), "bfloat16"),
        x: R.Tensor(("b", "n", 3, 20), "float32"), y: R.Tensor(("b", "m", 3, 20), "float32"), z: R.Tensor(("b", "m", 3, 36), "float32"),
        bias: R.Tensor(("b", 1, "n", "m"), "float32"), row: R.Tensor((1, 3, 1, "m"), "float32"), half: R.Tensor((1, 2, "n", "m"), "float16"),
    ):
        b, n, m = T.int64(), T.int64(), T.int64()
        plain = R.nn.attention(q, k, v)
        biased = R.nn.attention(q, k, v, bias=half, scale=0.5, causal_mask="TopLeft")
        shared = R.nn.attention(gq, gk, gv, causal_mask="BottomRight")
        threads = R.nn.attention(x, y, z, bias=bias, causal_mask="TopLeft", window_size=9)
        rows = R.nn.attention(x, y, z, bias=row)
        return plain, biased, shared, threads, rows
