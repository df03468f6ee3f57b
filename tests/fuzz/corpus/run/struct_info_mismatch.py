from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def inner(x: R.Tensor(("n * 2",), "float32"), s: R.Shape(["n"])) -> R.Tensor(ndim=1, dtype="float32"):
        return x

    @R.function
    def main(x: R.Tensor(("k",), "float32")) -> R.Object:
        cls = Module
        y = cls.inner(x, R.shape([4]))
        return y

    @R.function
    def result(x: R.Tensor(("k",), "float32"), s: R.Shape(["m"])) -> R.Tensor(("m",), "float32"):
        return x

    @R.function
    def cast(x: R.Tensor(("n",), "float32"), t: R.Tensor((4,), "float32")) -> R.Object:
        n = T.int64()
        hidden: R.Object = (x, t)
        y = R.match_cast(hidden, R.Tuple(R.Tensor((n + 1,), "float32"), R.Tensor((4,), "float32")))
        return y
