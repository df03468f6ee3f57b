# Sums and products so far: rows of a warp and of a block, from their elements on and before them, one row, columns.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 70), "float32"), y: R.Tensor((2, "m"), "float32"), h: R.Tensor((3, 300), "float16"),
        i: R.Tensor((2, 3, 1030), "int32"), b: R.Tensor(("m",), "int8"), d: R.Tensor((2, 33), "float64"),
    ):
        sums = R.cumsum(x, axis=1)
        before = R.cumsum(y, axis=1, exclusive=True)
        products = R.cumprod(R.add(R.const(1.0, "float64"), d), axis=-1)
        halves = R.cumsum(h, axis=1)
        whole = R.cumsum(i, axis=2)
        wraps = R.cumsum(b, axis=0)
        flat = R.cumprod(i, dtype="int64")
        columns = R.cumsum(i, axis=1)
        return sums, before, products, halves, whole, wraps, flat, columns
