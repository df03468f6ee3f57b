# Elements under a byte in loops as a program writes them: bound to threads, in another order, between two nests.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(s_tir=True)
    def bound(A: T.Buffer((33,), "int8"), C: T.Buffer((33,), "int4")):
        for b in T.thread_binding(3, thread="blockIdx.x"):
            for t in T.thread_binding(11, thread="threadIdx.x"):
                C[b * 11 + t] = T.Cast("int4", A[b * 11 + t])

    @T.prim_func(s_tir=True)
    def odd(A: T.Buffer((33,), "int4"), C: T.Buffer((33,), "int4")):
        for i in range(33):
            C[32 - i] = A[i]

    @T.prim_func(s_tir=True)
    def kept(A: T.Buffer((5, 3), "int4"), C: T.Buffer((5, 3), "int4")):
        S = T.alloc_buffer((5, 3), "uint4")
        for i, j in T.grid(5, 3):
            S[i, j] = T.Cast("uint4", A[i, j])
        for i in range(5):
            for j in range(3):
                C[i, j] = T.Cast("int4", S[4 - i, 2 - j])

    @R.function(pure=False)
    def main(a: R.Tensor((33,), "int8"), x: R.Tensor((5, 3), "int4")):
        cls = Module
        b = R.builtin.alloc_tensor(R.shape([3]), R.dtype("int4"), R.prim_value(0))
        c = R.call_tir(cls.bound, (a,), out_sinfo=R.Tensor((33,), "int4"))
        d = R.call_tir(cls.odd, (c,), out_sinfo=R.Tensor((33,), "int4"))
        e = R.call_tir(cls.kept, (x,), out_sinfo=R.Tensor((5, 3), "int4"))
        return (b, c, d, e)
