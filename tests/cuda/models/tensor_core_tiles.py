from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # A tile of 16 rows and 16 columns for each warp: copied into shared memory while the thread goes on, taken
    # from there as fragments, multiplied on tensor cores.
    @T.prim_func
    def product(A: T.Buffer((48, 48), "float16"), B: T.Buffer((48, 80), "float16"), C: T.Buffer((48, 80), "float32")):
        for by in T.thread_binding(3, thread="blockIdx.y"):
            for bx in T.thread_binding(5, thread="blockIdx.x"):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    left = T.alloc_shared((16, 16), "float16")
                    right = T.alloc_shared((16, 16), "float16")
                    a = T.alloc_local((8,), "float16")
                    b = T.alloc_local((8,), "float16")
                    c = T.alloc_local((8,), "float32")
                    T.evaluate(T.mma_fill("float32", 8, c.data, 0))
                    for step in range(3):
                        T.evaluate(T.ptx_cp_async("float16", left.data, tx * 8, A.data, (by * 16 + tx // 2) * 48 + step * 16 + tx % 2 * 8, 16))
                        T.evaluate(T.ptx_cp_async("float16", right.data, tx * 8, B.data, (step * 16 + tx // 2) * 80 + bx * 16 + tx % 2 * 8, 16))
                        T.evaluate(T.ptx_commit_group())
                        T.evaluate(T.ptx_wait_group(0))
                        T.tvm_storage_sync("shared")
                        T.evaluate(T.ptx_ldmatrix("float16", False, 4, ".b16", a.data, 0, left.data, tx % 16 * 16 + tx // 16 * 8))
                        T.evaluate(T.ptx_ldmatrix("float16", True, 4, ".b16", b.data, 0, right.data, tx % 16 * 16 + tx // 16 * 8))
                        T.evaluate(T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", a.data, 0, b.data, 0, c.data, 0, False))
                        T.evaluate(T.ptx_mma("float32", "m16n8k16", "row", "col", "fp16", "fp16", "fp32", a.data, 0, b.data, 4, c.data, 4, False))
                        T.tvm_storage_sync("shared")
                    T.evaluate(T.mma_store("float32", 16, 16, T.address_of(C[by * 16, bx * 16]), c.data, 0, 80))

    @R.function
    def main(a: R.Tensor((48, 48), "float16"), b: R.Tensor((48, 80), "float16")) -> R.Tensor((48, 80), "float32"):
        cls = Module
        c = R.call_tir(cls.product, (a, b), out_sinfo=R.Tensor((48, 80), "float32"))
        return c
