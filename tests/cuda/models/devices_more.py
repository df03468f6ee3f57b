"""What else devices have: a kernel of the host and of a GPU, bound to threads by the program, PrimFuncs that the host's call, 16-bit floats on the host, sizes
that the data of a GPU and of the host say, tuples that move, what is written anew while it is copied, and inputs of no
device, which are at the same addresses as the others."""
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda", 0), I.vdevice("cuda", 1), I.vdevice("cpu"), I.vdevice("llvm")]})

    @T.prim_func(private=True)
    def turned(x: T.Buffer((8, 8), "float32"), y: T.Buffer((8, 8), "float32")):
        for i in T.thread_binding(8, "blockIdx.x"):
            for j in T.thread_binding(8, "threadIdx.x"):
                with T.sblock("turned"):
                    vi, vj = T.axis.remap("SS", [i, j])
                    y[vi, vj] = x[vj, vi] * T.float32(0.5)

    @T.prim_func(private=True)
    def more(x: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("more"):
                vi, vj = T.axis.remap("SS", [i, j])
                x[vi, vj] = x[vi, vj] + T.float32(1)

    @T.prim_func(private=True)
    def half(x: T.float32) -> T.float32:
        T.ret(x * T.float32(0.5))

    @T.prim_func(private=True)
    def halves(x: T.Buffer((8, 8), "float32"), y: T.Buffer((8, 8), "float32")):
        for i, j in T.grid(8, 8):
            with T.sblock("halves"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = Module.half(x[vi, vj])

    @R.function
    def main(x: R.Tensor((8, 8), "float32"), h: R.Tensor(("n", 8), "bfloat16", "llvm"), i: R.Tensor((9,), "int64", "cuda:1"), k: R.Tensor((7,), "int64", "cpu")):
        moved = R.to_vdevice(x, "cuda:0")
        a = R.call_tir(Module.turned, (moved,), out_sinfo=R.Tensor((8, 8), "float32", "cuda:0"))
        b = R.to_vdevice(a, "llvm")
        c = R.call_tir(Module.turned, (b,), out_sinfo=R.Tensor((8, 8), "float32", "llvm"))
        d = R.call_tir(Module.halves, (c,), out_sinfo=R.Tensor((8, 8), "float32", "llvm"))
        again = R.call_tir_inplace(Module.more, (a,), inplace_indices=[0], out_sinfo=R.Tensor((8, 8), "float32", "cuda:0"))
        both = R.to_vdevice((again, R.exp(again)), "cuda:1")
        soft = R.astype(R.nn.softmax(R.astype(h, "float32")), "float16")
        wide = R.to_vdevice(R.nn.gelu(soft), "cuda:0")
        some = R.nonzero(R.greater(i, R.const(0, "int64")))
        others = R.to_vdevice(R.nonzero(R.greater(k, R.const(0, "int64"))), "cuda:0")
        return (R.nn.softmax(R.matmul(c, d)), again, R.matmul(both[0], both[1]), R.add(wide, wide), R.add(some, some), R.multiply(others, others), R.sort(soft))
