# Consecutive convolutions of float16 with channels-last images between them: borders, strides, groups, additions.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 3, 20, 22), "float16"),
        u: R.Tensor((16, 3, 3, 3), "float16"),
        v: R.Tensor((16, 16, 3, 3), "float16"),
        d: R.Tensor((16, 1, 3, 3), "float16"),
        w: R.Tensor((24, 16, 1, 1), "float16"),
        b: R.Tensor((16, 1, 1), "float16"),
        z: R.Tensor(("n", 24, 5, 6), "bfloat16"),
        k: R.Tensor((9, 24, 3, 3), "bfloat16"),
    ):
        with R.dataflow():
            stem = R.nn.conv2d(x, u, strides=(2, 2), padding=(1, 1), out_dtype="float32")
            first = R.nn.relu(R.add(R.astype(stem, "float16"), b))
            pool = R.nn.max_pool2d(first, pool_size=(2, 2), strides=(2, 2))
            wide = R.nn.conv2d(R.astype(pool, "float32"), R.astype(v, "float32"), padding=(1, 1))
            sums = R.add(R.astype(wide, "float16"), pool)
            apart = R.nn.relu(R.nn.conv2d(sums, d, padding=(1, 1), groups=16))
            last = R.nn.conv2d(apart, w, strides=(2, 1), out_dtype="float32")
            mean = R.mean(last, axis=[2, 3])
            alone = R.nn.conv2d(z, k, dilation=(2, 2), padding=(2, 2), out_dtype="float32")
            R.output(sums, mean, alone)
        return sums, mean, alone
