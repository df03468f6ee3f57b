# Elementwise operators whose threads move several neighbours at once, and what is left over of them.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", "m"), "float32"),
        y: R.Tensor(("n", "m"), "float32"),
        h: R.Tensor((70, 1024), "float16"),
        g: R.Tensor((1024,), "float16"),
        c: R.Tensor((2, 6, 80, 80), "float32"),
        b: R.Tensor((6, 1, 1), "float32"),
        i: R.Tensor(("n", 40), "int8"),
        d: R.Tensor(("n", 3), "float64"),
        t: R.Tensor(("n", "m"), "bool"),
    ):
        sum = R.add(x, y)
        scaled = R.multiply(R.add(h, g), R.const(0.5, "float16"))
        shifted = R.nn.relu(R.add(c, b))
        widened = R.astype(i, "float32")
        negated = R.negative(d)
        chosen = R.where(t, x, y)
        single = R.astype(h, "float32")
        return sum, scaled, shifted, widened, negated, chosen, single
