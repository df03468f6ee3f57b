# Sorts rows: stable order of equal elements, NaN, lengths that are not a power of two, any axis, indices and values.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 100), "float32"), y: R.Tensor(("m",), "int32"), c: R.Tensor((2, 65, 3), "float16"), z: R.Tensor((3, "m"), "float32"),
        d: R.Tensor((2, 33), "float64"), e: R.Tensor(("n", 40, 12), "int32"),
    ):
        coarse = R.floor(R.multiply(x, R.const(3.0, "float32")))
        order = R.argsort(coarse, axis=1, dtype="int64")  # equals stay in their order
        falling = R.argsort(coarse, axis=1, descending=True)
        sorted = R.sort(R.sqrt(z), axis=1)  # NaN in it
        last = R.sort(R.sqrt(z), axis=1, descending=True)
        whole = R.sort(y, axis=0)
        columns = R.sort(c, axis=1)
        best = R.topk(x, k=7, axis=1)
        middle = R.median(d, axis=[1])
        # A dynamic number of elements, along an axis that is not the last.
        first = R.sort(x, axis=0)
        within = R.sort(e, axis=1, descending=True)
        most = R.topk(e, k=3, axis=1)
        return order, falling, sorted, last, whole, columns, best, middle, first, within, most
