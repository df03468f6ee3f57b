# Few sums over a long depth, which many blocks share: tiles of each kind, lines and columns of a matrix, epilogues.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((2, 9, 1100), "float32"), w: R.Tensor((1100, 35), "float32"), b: R.Tensor((35,), "float32"),
        h: R.Tensor((33, 1032), "float16"), g: R.Tensor((1032, 17), "float16"),
        q: R.Tensor((10, 4160), "int8"), v: R.Tensor((9, 4160), "int8"),
        p: R.Tensor((1, 70, 4, 4), "float32"), k: R.Tensor((9, 70, 3, 3), "float32"),
        r: R.Tensor((1, 16500), "bfloat16"), m: R.Tensor((16500, 9), "bfloat16"),
        l: R.Tensor((8, 20000), "float64"), c: R.Tensor((20000,), "float64"),
    ):
        with R.dataflow():
            t0 = R.matmul(x, w)
            t1 = R.add(t0, b)
            threads = R.nn.relu(t1)
            h1 = R.floor(R.multiply(h, R.const(2.0, "float16")))
            g1 = R.floor(R.multiply(g, R.const(2.0, "float16")))
            cores = R.matmul(h1, g1)  # rounded as they are put together, to whole numbers that are exact
            bytes = R.matmul(q, R.permute_dims(v), out_dtype="int32")
            windows = R.nn.conv2d(p, k, padding=(1, 1))
            columns = R.matmul(r, m, out_dtype="float32")
            n0 = R.matmul(l, c)
            lines = R.sigmoid(n0)
            R.output(threads, cores, bytes, windows, columns, lines)
        return threads, cores, bytes, windows, columns, lines
