from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class ControlFlow:
    # Newton's steps towards a square root, until they hardly move: a loop in C.
    @R.function
    def improve(x: R.Tensor((), "float32"), guess: R.Tensor((), "float32"), steps: R.Tensor((), "int32")) -> R.Tuple(R.Tensor((), "float32"), R.Tensor((), "int32")):
        cls = ControlFlow
        better = R.multiply(R.add(guess, R.divide(x, guess)), R.const(0.5, "float32"))
        off = R.abs(R.subtract(R.multiply(better, better), x))
        close = R.less(off, R.const(0.0001, "float32"))
        tired = R.greater(steps, R.const(50, "int32"))
        if R.logical_or(close, tired):
            result = (better, steps)
        else:
            result = cls.improve(x, better, R.add(steps, R.const(1, "int32")))
        return result

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor((), "int32")):
        n = T.int64()
        cls = ControlFlow
        energy = R.add(R.sum(R.multiply(x, x)), R.const(1, "float32"))
        root = cls.improve(energy, energy, R.const(0, "int32"))
        norm: R.Tensor((), "float32") = root[0]
        steps: R.Tensor((), "int32") = root[1]
        if R.greater(norm, R.const(2, "float32")):
            y = R.divide(x, norm)
        else:
            y = x
        return (y, steps)
