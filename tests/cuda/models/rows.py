# Rows of many lengths and dtypes: what a warp, a part of one or a block goes through together.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 1023), "float32"),
        y: R.Tensor(("n", "m"), "float32"),
        h: R.Tensor((3, 33), "float16"),
        b: R.Tensor(("n", 2049), "bfloat16"),
        i: R.Tensor((5, 31), "int8"),
        l: R.Tensor((2, 100), "int64"),
        t: R.Tensor((2, 1025), "bool"),
        c: R.Tensor((2, 6, 5, 5), "float32"),
        g: R.Tensor((6,), "float32"),
        w: R.Tensor((1023,), "float32"),
        d: R.Tensor((3, 40), "float64"),
        e: R.Tensor((40, 0), "float32"),
        q: R.Tensor(("m",), "float32"),
        p: R.Tensor((70, 3), "float32"),
        long: R.Tensor((2, 17000), "float32"),
    ):
        softmax = R.nn.softmax(x)
        softmax_m = R.nn.log_softmax(y)
        softmax_h = R.nn.softmax(h)
        softmax_b = R.nn.softmax(b)
        layer = R.nn.layer_norm(x, w, w, axes=[-1])
        rms = R.nn.rms_norm(x, w, axes=[-1])
        group = R.nn.group_norm(c, g, g, num_groups=3, channel_axis=1, axes=[2, 3])
        instance = R.mean(c, axis=[2, 3], keepdims=True)
        sum_h = R.sum(h, axis=1)
        prod = R.prod(i, axis=-1)
        sum_i = R.sum(i, axis=-1)
        max_l = R.max(l, axis=-1)
        min_l = R.min(l, axis=-1)
        any_t = R.sum(t, axis=-1)
        all_t = R.prod(t, axis=-1)
        std = R.std(d, axis=-1)
        empty = R.sum(e, axis=-1)
        least = R.max(e, axis=-1)
        whole = R.mean(q)
        whole_max = R.max(c)
        short = R.nn.softmax(p)
        long_rows = R.variance(long, axis=-1)
        return softmax, softmax_m, softmax_h, softmax_b, layer, rms, group, instance, sum_h, prod, sum_i, max_l, min_l, any_t, all_t, std, empty, least, whole, whole_max, short, long_rows
