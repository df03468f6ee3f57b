from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Closures:
    # A function of functions: its callers' functions are known, so it becomes part of them.
    @R.function(private=True)
    def twice(f: R.Callable((R.Tensor((3,), "float32"),), R.Tensor((3,), "float32")), x: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
        y: R.Tensor((3,), "float32") = f(x)
        z: R.Tensor((3,), "float32") = f(y)
        return z

    @R.function
    def main(x: R.Tensor((3,), "float32"), gain: R.Tensor((), "float32"), loud: R.Tensor((), "bool")) -> R.Tensor((3,), "float32"):
        cls = Closures

        # Keeps `gain`.
        @R.function
        def amplify(a: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
            b = R.multiply(a, gain)
            return b

        # Makes a function that keeps what it is given, and `gain`.
        @R.function
        def shifted(by: R.Tensor((3,), "float32")) -> R.Callable((R.Tensor((3,), "float32"),), R.Tensor((3,), "float32")):
            @R.function
            def shift(a: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
                b = R.add(R.multiply(by, gain), a)
                return b

            return shift

        amplified: R.Tensor((3,), "float32") = cls.twice(amplify, x)
        # Which function this is, is known only when the program runs.
        if loud:
            last = amplify
        else:
            last = shifted(x)
        result: R.Tensor((3,), "float32") = last(amplified)
        return result
