# Functions that kernels call: of numbers, of memory that they read, of rows that they write, and of more than a row, of each other.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module(s_tir=True)
class Module:
    @T.prim_func(private=True, s_tir=True)
    def softer(x: T.float32, by: T.float32) -> T.float32:
        if x < T.float32(0):
            return x * by
        return x

    @T.prim_func(private=True, s_tir=True)
    def mirrored(A_data: T.handle("float32"), i: T.int32, n: T.int32) -> T.float32:
        A = T.decl_buffer(1000000, "float32", data=A_data)
        return Module.softer(A[n - 1 - i], T.float32(0.25))

    @T.prim_func(private=True, s_tir=True)
    def double(A_data: T.handle("float32"), C_data: T.handle("float32"), n: T.int32):
        A = T.decl_buffer(16, "float32", data=A_data)
        C = T.decl_buffer(16, "float32", data=C_data)
        for i in range(n):
            C[i] = Module.softer(A[i], T.float32(0.5)) * T.float32(2)

    @T.prim_func(private=True, s_tir=True)
    def spread(C_data: T.handle("float32"), i: T.int32):
        C = T.decl_buffer(32, "float32", data=C_data)
        for k in range(32):
            C[k] = C[k] + T.Cast("float32", i * k)

    @T.prim_func(s_tir=True)
    def soft(a: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n,), "float32")
        C = T.match_buffer(c, (n,), "float32")
        for i in range(n):
            C[i] = Module.softer(A[i], T.float32(0.125))

    @T.prim_func(s_tir=True)
    def total(a: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n, 16), "float32")
        C = T.match_buffer(c, (n,), "float32")
        for i in range(n):
            C[i] = T.float32(0)
            for k in range(16):
                C[i] = C[i] + Module.softer(A[i, k], T.float32(2))

    @T.prim_func(s_tir=True)
    def turned(a: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n,), "float32")
        C = T.match_buffer(c, (n,), "float32")
        for i in range(n):
            C[i] = Module.mirrored(A.data, i, n)

    @T.prim_func(s_tir=True)
    def rows(a: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n, 16), "float32")
        C = T.match_buffer(c, (n, 16), "float32")
        for i in range(n):
            Module.double(T.address_of(A[i, 0]), T.address_of(C[i, 0]), 16)

    @T.prim_func(s_tir=True)
    def pairs(a: T.handle, c: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n, 16), "float32")
        C = T.match_buffer(c, (n + 1, 16), "float32")
        for i, j in T.grid(n + 1, 16):
            C[i, j] = T.float32(1)
        for i in range(n):
            Module.spread(T.address_of(C[i, 0]), i + 1)

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n", 16), "float32")):
        n = T.int64()
        cls = Module
        soft = R.call_tir(cls.soft, (x,), out_sinfo=R.Tensor((n,), "float32"))
        total = R.call_tir(cls.total, (y,), out_sinfo=R.Tensor((n,), "float32"))
        turned = R.call_tir(cls.turned, (soft,), out_sinfo=R.Tensor((n,), "float32"))
        rows = R.call_tir(cls.rows, (y,), out_sinfo=R.Tensor((n, 16), "float32"))
        pairs = R.call_tir(cls.pairs, (y,), out_sinfo=R.Tensor((n + 1, 16), "float32"))
        return (soft, total, turned, rows, pairs)
