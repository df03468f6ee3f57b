from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(n: R.Tensor((), "int64"), unit: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        @R.function
        def fact(k: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
            small = R.less_equal(k, R.const(1, "int64"))
            if small:
                r = R.add(R.multiply(unit, R.const(0, "int64")), R.const(1, "int64"))
            else:
                rest = fact(R.subtract(k, R.const(1, "int64")))
                r = R.multiply(k, rest)
            return r

        y = fact(R.const(10, "int64"))
        return y
