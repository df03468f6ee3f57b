@T.prim_func(private=True, s_tir=True)
def f[M, N: int](a: T.handle, B: T.Buffer((16, 16), "int32"), n: T.int64) -> None:
    T.func_attr({"tir.noalias": True, "target": T.target({"kind": "c", "keys": ["cpu"]})})
    A = T.match_buffer(a, (M, N), "float16", strides=[s, 1], offset_factor=1)
    for i, j in T.grid(M, 0x10):
        with T.block("update"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.where(i * 4 + j < 1_000)
            T.reads(A[vi, vj : vj + 4], B[()])
            with T.init():
                B[vi, vj] = T.float32("-inf")
            B[vi, vj] += T.if_then_else(vi % 2 == 0 and not vj, A[vi, ::2], 1e-05)
    while n[()] < 10:
        x: T.let[T.int32] = n << 2 | ~3 & 1 ^ 7 >> 1
        assert x >= 0, ("RuntimeError", ["bad"])
        continue
    T.evaluate(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]))
