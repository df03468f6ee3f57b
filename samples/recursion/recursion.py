from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Recursion:
    # Doubles x until n is 0. The call is in tail position: it needs no stack.
    @R.function
    def double(x: R.Tensor((2,), "int32"), n: R.Tensor((), "int32")) -> R.Tensor((2,), "int32"):
        cls = Recursion
        done: R.Tensor((), "bool") = R.equal(n, R.const(0, "int32"))
        if done:
            y: R.Tensor((2,), "int32") = x
        else:
            y: R.Tensor((2,), "int32") = cls.double(R.add(x, x), R.subtract(n, R.const(1, "int32")))
        return y

    @R.function
    def main(x: R.Tensor(("k",), "int32")) -> R.Tensor((2,), "int32"):
        m = T.int64()
        cls = Recursion
        # Said on purpose: of `some` only the rank is known. The cast measures it, and calls it m.
        some: R.Tensor(dtype="int32", ndim=1) = x
        vector = R.match_cast(some, R.Tensor((m,), "int32"))

        # A closure: it keeps `vector`, and its signature speaks of m.
        @R.function
        def plus(y: R.Tensor((m,), "int32")) -> R.Tensor((m,), "int32"):
            z = R.add(y, vector)
            return z

        sum: R.Tensor((m,), "int32") = plus(vector)
        # Wrong if m is not 2; checked when it runs.
        pair = R.match_cast(sum, R.Tensor((2,), "int32"))
        result: R.Tensor((2,), "int32") = cls.double(pair, R.const(10, "int32"))
        return result
