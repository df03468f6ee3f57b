# One row, and few long ones, that many blocks share.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("m",), "float32"),
        y: R.Tensor((2, 70001), "float32"),
        h: R.Tensor((40000,), "float16"),
        i: R.Tensor((3, "m"), "int32"),
    ):
        mean = R.mean(x)
        largest = R.max(y, axis=1)
        deviation = R.std(y, axis=1)
        norm = R.sqrt(R.sum(R.multiply(x, x)))
        half = R.mean(h)
        total = R.sum(i)
        whole = R.nn.softmax(x)
        return mean, largest, deviation, norm, half, total, whole
