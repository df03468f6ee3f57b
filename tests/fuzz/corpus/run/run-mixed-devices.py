from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor((4,), "float32", "llvm"), y: R.Tensor((4,), "float32", "cuda:0")) -> R.Object:
        a: R.Object = x
        b: R.Object = y
        u = R.match_cast(a, R.Tensor((4,), "float32"))
        v = R.match_cast(b, R.Tensor((4,), "float32"))
        z = R.add(u, v)
        return z
