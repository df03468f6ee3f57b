from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def add(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(x, y)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Object:
        cls = Module
        c = R.make_closure(cls.add, (x,))
        r = R.invoke_pure_closure(c, (x,), sinfo_args=R.Tensor((4,), "float32"))
        return r
