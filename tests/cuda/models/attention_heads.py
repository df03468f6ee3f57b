# Attention of sizes that are numbers, for each format and size of heads.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        h: R.Tensor((1, 33, 2, 64), "float16"), m: R.Tensor((1, 1, 33, 33), "float16"), b: R.Tensor((1, 33, 1, 64), "bfloat16"), f: R.Tensor((1, 33, 1, 64), "float32"),
        i: R.Tensor((1, 33, 1, 128), "float16"), c: R.Tensor((1, 33, 1, 128), "bfloat16"), g: R.Tensor((1, 33, 1, 128), "float32"),
        few: R.Tensor((1, 3, 2, 64), "float16"), one: R.Tensor((1, 1, 1, 64), "float32"), tiny: R.Tensor((1, 33, 1, 16), "float16"),
    ):
        h64 = R.nn.attention(h, h, h)
        h64_masked = R.nn.attention(h, h, h, bias=m, causal_mask="TopLeft")
        b64 = R.nn.attention(b, b, b, causal_mask="TopLeft", window_size=5)
        f64 = R.nn.attention(f, f, f, causal_mask="TopLeft")
        h128 = R.nn.attention(i, i, i, causal_mask="TopLeft")
        b128 = R.nn.attention(c, c, c)
        f128 = R.nn.attention(g, g, g)
        few_queries = R.nn.attention(few, h, h, causal_mask="BottomRight")
        one_query = R.nn.attention(one, f, f)
        h16 = R.nn.attention(tiny, tiny, tiny)
        return h64, h64_masked, b64, f64, h128, b128, f128, few_queries, one_query, h16
