# Where the largest and smallest elements of rows are: the first of equals, and rows with NaN in them.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 100), "float32"),
        y: R.Tensor((3, "m"), "float16"),
        c: R.Tensor((2, 3, 40), "int32"),
        z: R.Tensor((40, 300), "float32"),
    ):
        largest = R.argmax(R.floor(R.multiply(x, R.const(3.0, "float32"))), axis=1)
        smallest = R.argmin(y, axis=-1, keepdims=True)
        of_all = R.argmax(c)
        roots = R.argmax(R.sqrt(z), axis=1)
        least = R.argmin(R.sqrt(z), axis=1)
        return largest, smallest, of_all, roots, least
