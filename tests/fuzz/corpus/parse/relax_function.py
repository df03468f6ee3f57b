from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    I.module_attrs({"version": 3})

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a, b = R.split(x, 2, axis=1)
            lv: R.Tensor((n, 2), "float32") = -a * b + R.const(1.5, "float32")
            gv = R.call_tir(cls.f, (lv, n + 1), out_ty=R.Tensor(("n * 2",), "float32"))
            R.output(gv)
        if R.shape([n, 1])[0]:
            y = gv
        else:
            y = R.print(gv, format="x: {}")
        return y, (gv,)
