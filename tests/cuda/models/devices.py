"""Two GPUs and the host: what one computes goes to another while the first goes on, in functions that are called, in
rounds, and as far as the host's data says. Constants are on each device that reads them."""
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("cuda", 1), I.vdevice("llvm")]})

    @T.prim_func(private=True)
    def turned(x: T.Buffer((8, 8), "float32"), y: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("turned"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = x[vj, vi] * T.float32(0.5)

    @R.function(private=True)
    def layer(x: R.Tensor(("n", 8), "float32", "cuda:1"), w: R.Tensor((8, 8), "float32", "cuda:1")) -> R.Tensor(("n", 8), "float32", "cuda:1"):
        y = R.matmul(x, w)
        z = R.add(y, R.const([1, 2, 3, 4, 5, 6, 7, 8], "float32"))
        return R.nn.relu(z)

    @R.function(private=True)
    def both(x: R.Tensor(("n", 8), "float32", "cuda:0"), w: R.Tensor((8, 8), "float32", "cuda:1")) -> R.Tuple(R.Tensor(("n", 8), "float32", "cuda:0")):
        a = R.nn.softmax(x)
        b = R.to_vdevice(a, "cuda:1")
        c = Module.layer(b, w)
        d = R.to_vdevice(c, "cuda:0")
        e = R.multiply(a, R.const([1, 2, 3, 4, 5, 6, 7, 8], "float32"))
        return (R.add(e, d),)

    @R.function(private=True)
    def rounds(k: R.Tensor((), "int64", "llvm"), x: R.Tensor(("n", 8), "float32", "cuda:0")) -> R.Tuple(R.Tensor(("n", 8), "float32", "cuda:0")):
        more = R.greater(k, R.const(0, "int64"))
        if more:
            y = R.to_vdevice(x, "cuda:1")
            z = R.add(y, R.const(1, "float32"))
            back = R.to_vdevice(z, "cuda:0")
            less = R.subtract(k, R.const(1, "int64"))
            r = Module.rounds(less, back)
        else:
            r = (x,)
        return r

    @R.function
    def main(x: R.Tensor(("n", 8), "float32", "cuda:0"), w: R.Tensor((8, 8), "float32", "cuda:1"), go: R.Tensor((), "bool", "llvm")):
        a = Module.both(x, w)[0]
        h = R.to_vdevice(a, "llvm")
        t = R.take(h, R.const([2, 0, 1], "int64"), axis=0)
        s = R.multiply(t, R.const([1, 2, 3, 4, 5, 6, 7, 8], "float32"))
        back = R.to_vdevice(s, "cuda:1")
        v = R.call_tir(Module.turned, (w,), out_sinfo=R.Tensor((8, 8), "float32", "cuda:1"))
        m = R.matmul(back, v)
        if go:
            g = R.to_vdevice(R.exp(m), "cuda:0")
        else:
            g = R.to_vdevice(m, "cuda:0")
        r = Module.rounds(R.to_vdevice(R.const(3, "int64"), "llvm"), a)[0]
        return (r, s, R.nn.relu(g))
