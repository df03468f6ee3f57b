from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y: R.Object = x
        z = R.match_cast(y, R.Tensor((4,), "float32"))
        return z
