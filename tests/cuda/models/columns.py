# What comes together down columns: over leading axes and those in the middle, of many lengths and dtypes.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((601, 37), "float32"),
        y: R.Tensor(("n", "m"), "float32"),
        z: R.Tensor(("n", 19), "float32"),
        h: R.Tensor((259, 70), "float16"),
        b: R.Tensor((3, 40, 5), "bfloat16"),
        i: R.Tensor((131, 5), "int8"),
        l: R.Tensor((2, 50, 3), "int64"),
        t: R.Tensor((65, 12), "bool"),
        d: R.Tensor((90, 17), "float64"),
        c: R.Tensor((2, 9, 11, 6), "float32"),
        long: R.Tensor((3001, 24), "float32"),
        s: R.Tensor((3, 70, 45), "float32"),
        w: R.Tensor((37,), "float32"),
        g: R.Tensor((40,), "bfloat16"),
    ):
        sum_x = R.sum(x, axis=0)
        bent = R.nn.gelu(R.add(R.mean(R.multiply(x, w), axis=0), w))
        deviation = R.std(x, axis=0)
        centred = R.subtract(x, R.mean(x, axis=0))
        sum_y = R.sum(y, axis=0)
        least_z = R.min(z, axis=0)
        mean_h = R.mean(h, axis=0)
        sum_b = R.sum(b, axis=1)
        norm_b = R.nn.layer_norm(b, g, g, axes=[1])
        prod_i = R.prod(i, axis=0)
        sum_i = R.sum(i, axis=0)
        max_l = R.max(l, axis=1)
        any_t = R.sum(t, axis=0)
        all_t = R.prod(t, axis=0)
        variance = R.variance(d, axis=0)
        image = R.mean(c, axis=[1, 2])
        whole = R.max(c, axis=[0, 1, 2])
        softmax = R.nn.softmax(s, axis=1)
        softmax_x = R.nn.softmax(x, axis=0)
        softmax_z = R.nn.log_softmax(z, axis=0)
        first = R.argmax(x, axis=0)
        last = R.argmin(s, axis=1, keepdims=True)
        shared = R.sum(R.multiply(long, long), axis=0)
        shared_deviation = R.variance(long, axis=0)
        return (
            sum_x, bent, deviation, centred, sum_y, least_z, mean_h, sum_b, norm_b, prod_i, sum_i, max_l, any_t, all_t, variance,
            image, whole, softmax, softmax_x, softmax_z, first, last, shared, shared_deviation,
        )
