from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Two:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), flag: R.Tensor((), "bool")) -> R.Tensor((4, 3), "float32"):
        a = R.matmul(x, R.const([[1.0, -2.0, 3.0], [0.5, 2.0, -1.0], [1.0, -2.0, 3.0], [0.5, 2.0, -1.0], [1.0, -2.0, 3.0], [0.5, 2.0, -1.0], [1.0, -2.0, 3.0], [0.5, 2.0, -1.0]], "float32"))
        if flag:
            b = R.exp(a)
        else:
            c = R.sort(a)
            b = R.add(c, c)
        d = R.nn.softmax(b)
        e = R.sort(d)
        return R.add(e, d)

    @R.function
    def other(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        a = R.sort(x)
        b = R.cumsum(a, axis=1)
        return R.sort(R.multiply(b, x))

    @R.function
    def same(x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        return x
