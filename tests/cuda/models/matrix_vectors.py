# A matrix and few vectors: along the depth and side by side, rows and columns, sizes that fill no access.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, "k"), "float32"), w: R.Tensor(("k", 67), "float32"), b: R.Tensor((67,), "float32"),
        h: R.Tensor((3, "k"), "float16"), g: R.Tensor((72, "k"), "float16"), r: R.Tensor((3, 72), "float16"),
        f: R.Tensor((2, "n", 264), "bfloat16"), c: R.Tensor((2, 264), "float32"),
        q: R.Tensor(("n", 80), "int8"), v: R.Tensor((80, 5), "int8"),
        d: R.Tensor(("k",), "float64"), e: R.Tensor(("k", 20), "float64"),
        p: R.Tensor((2, 7, 40), "float16"), s: R.Tensor((2, 40, "n"), "float16"),
        l: R.Tensor((9, 2048), "float32"), m: R.Tensor((2048, 2), "float32"),
    ):
        with R.dataflow():
            x1 = R.matmul(x, w)
            x2 = R.add(x1, b)
            one = R.nn.relu(x2)
            g1 = R.matmul(g, R.permute_dims(h))  # few columns
            g2 = R.add(R.permute_dims(g1), r)
            columns = R.nn.gelu(g2)
            f1 = R.astype(f, "float32")
            c1 = R.expand_dims(c, axis=2)
            batch = R.matmul(f1, c1)  # two formats, and a matrix for each vector
            bytes = R.matmul(q, v, out_dtype="int32")
            doubles = R.matmul(d, e)
            seven = R.matmul(p, s)
            long = R.matmul(l, m)  # few lines, which many threads share
            R.output(one, columns, batch, bytes, doubles, seven, long)
        return one, columns, batch, bytes, doubles, seven, long
