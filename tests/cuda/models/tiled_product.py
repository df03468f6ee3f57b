from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # A tile of 16 rows and 16 columns for each block, through shared memory.
    @T.prim_func
    def product(A: T.Buffer((32, 48), "float32"), B: T.Buffer((48, 64), "float32"), C: T.Buffer((32, 64), "float32")):
        left = T.sblock_alloc_buffer((16, 16), "float32", scope="shared")
        right = T.sblock_alloc_buffer((16, 16), "float32", scope="shared")
        for by in T.thread_binding(2, thread="blockIdx.y"):
            for bx in T.thread_binding(4, thread="blockIdx.x"):
                for ty in T.thread_binding(16, thread="threadIdx.y"):
                    for tx in T.thread_binding(16, thread="threadIdx.x"):
                        sum = T.alloc_local((1,), "float32")
                        sum[0] = T.float32(0)
                        for step in range(3):
                            left[ty, tx] = A[by * 16 + ty, step * 16 + tx]
                            right[ty, tx] = B[step * 16 + ty, bx * 16 + tx]
                            T.tvm_storage_sync("shared")
                            for k in range(16):
                                sum[0] = sum[0] + left[ty, k] * right[k, tx]
                            T.tvm_storage_sync("shared")
                        C[by * 16 + ty, bx * 16 + tx] = sum[0]

    @R.function
    def main(a: R.Tensor((32, 48), "float32"), b: R.Tensor((48, 64), "float32")) -> R.Tensor((32, 64), "float32"):
        cls = Module
        c = R.call_tir(cls.product, (a, b), out_sinfo=R.Tensor((32, 64), "float32"))
        return c
