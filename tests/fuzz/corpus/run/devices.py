from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})

    @R.function
    def main(x: R.Tensor((2,), "float32", "llvm"), y: R.Tensor((2,), "float32", "cuda:0")) -> R.Object:
        u = R.to_vdevice(x, "cuda:0")
        z = R.add(u, y)
        return (u, z)
