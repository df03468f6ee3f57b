# 8-bit products with constant weights and dynamic zero points, per tensor and per row.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 40), "uint8"), z: R.Tensor((), "uint8"), y: R.Tensor((2, 9, 40), "int8"), r: R.Tensor((9, 1), "int8"),
        u: R.Tensor(("n", 40), "uint8"),
    ):
        with R.dataflow():
            i: R.Tensor((640,), "int64") = R.arange(0, 640, 1, dtype="int64")
            made = R.astype(R.subtract(R.floor_mod(R.multiply(i, R.const(37, "int64")), R.const(251, "int64")), R.const(125, "int64")), "int8")
            w = R.astype(R.reshape(made, R.shape([40, 16])), "int32")
            a = R.matmul(R.subtract(R.astype(x, "int32"), R.astype(z, "int32")), w)
            f = R.multiply(R.astype(a, "float32"), R.const(0.001, "float32"))
            b = R.matmul(R.subtract(R.astype(y, "int32"), R.astype(r, "int32")), w)
            c = R.matmul(R.astype(u, "int32"), w)
            R.output(f, b, c)
        return f, b, c
