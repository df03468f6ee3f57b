from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # As in tensor_core_tiles.py, by the calls that say of each register where it is; two warps share the tiles.
    @T.prim_func
    def product(A: T.Buffer((16, 32), "bfloat16"), B: T.Buffer((32, 48), "bfloat16"), C: T.Buffer((16, 48), "float32")):
        for bx in T.thread_binding(3, thread="blockIdx.x"):
            for ty in T.thread_binding(2, thread="threadIdx.y"):
                for tx in T.thread_binding(32, thread="threadIdx.x"):
                    left = T.alloc_shared((16, 16), "bfloat16")
                    right = T.alloc_shared((16, 16), "bfloat16")
                    a = T.alloc_local((8,), "bfloat16")
                    b = T.alloc_local((4,), "bfloat16")
                    c = T.alloc_local((4,), "float32")
                    for i in range(4):
                        c[i] = T.float32(0)
                    for step in range(2):
                        if ty == 0:
                            T.ptx.cp_async(T.address_of(left[tx // 2, tx % 2 * 8]), T.address_of(A[tx // 2, step * 16 + tx % 2 * 8]), 16)
                        else:
                            T.ptx.cp_async(T.address_of(right[tx // 2, tx % 2 * 8]), T.address_of(B[step * 16 + tx // 2, bx * 16 + tx % 2 * 8]), 16)
                        T.ptx.cp_async.commit_group()
                        T.ptx.cp_async.wait_group(0)
                        T.cuda.cta_sync()
                        T.ptx.ldmatrix(False, 4, ".b16", T.address_of(left[tx % 16, tx // 16 * 8]), T.address_of(a[0]), T.address_of(a[2]), T.address_of(a[4]), T.address_of(a[6]))
                        T.ptx.ldmatrix(True, 2, ".b16", T.address_of(right[tx % 16, ty * 8]), T.address_of(b[0]), T.address_of(b[2]))
                        T.ptx.mma("m16n8k16", "row", "col", "float32", "bfloat16", "bfloat16", "float32", [T.address_of(c[0]), T.address_of(c[1]), T.address_of(c[2]), T.address_of(c[3])], [T.address_of(a[0]), T.address_of(a[2]), T.address_of(a[4]), T.address_of(a[6])], [T.address_of(b[0]), T.address_of(b[2])], [T.address_of(c[0]), T.address_of(c[1]), T.address_of(c[2]), T.address_of(c[3])])
                        T.cuda.cta_sync()
                    for i in range(4):
                        C[tx // 4 + i // 2 * 8, bx * 16 + ty * 8 + tx % 4 * 2 + i % 2] = c[i]

    # Rows of bytes, four or eight of them at a time, as far as they reach.
    @T.prim_func
    def rows(X: T.Buffer((3, 21), "int32"), Y: T.Buffer((3, 24), "int32")):
        for bx in T.thread_binding(3, thread="blockIdx.x"):
            for tx in T.thread_binding(24, thread="threadIdx.x"):
                row = T.alloc_shared((24,), "int32")
                T.evaluate(T.ptx_cp_async("int32", row.data, tx, X.data, T.min(bx * 21 + tx, 62), 4, tx < 21))
                T.evaluate(T.ptx_commit_group())
                T.evaluate(T.ptx_wait_group(0))
                T.tvm_storage_sync("shared")
                Y[bx, tx] = row[23 - tx]

    # A product as PTX names it, of registers that are words.
    @T.prim_func
    def named(A: T.Buffer((16, 32), "int8"), B: T.Buffer((32, 8), "int8"), D: T.Buffer((16, 8), "int32")):
        T.device_entry()
        block = T.cta_id([1])
        lane = T.lane_id([32])
        a = T.alloc_local((16,), "int8")
        b = T.alloc_local((8,), "int8")
        c = T.alloc_local((4,), "int32")
        for i in range(16):
            a[i] = A[lane // 4 + i // 4 % 2 * 8, lane % 4 * 4 + i % 4 + i // 8 * 16]
        for i in range(8):
            b[i] = B[lane % 4 * 4 + i % 4 + i // 4 * 16, lane // 4]
        for i in range(4):
            c[i] = 1
        T.ptx.mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32(c[0], c[1], c[2], c[3], a[0], a[4], a[8], a[12], b[0], b[4], c[0], c[1], c[2], c[3])
        for i in range(4):
            D[lane // 4 + i // 2 * 8, lane % 4 * 2 + i % 2] = c[i]

    @R.function
    def main(a: R.Tensor((16, 32), "bfloat16"), b: R.Tensor((32, 48), "bfloat16"), x: R.Tensor((3, 21), "int32"), p: R.Tensor((16, 32), "int8"), q: R.Tensor((32, 8), "int8")):
        cls = Module
        c = R.call_tir(cls.product, (a, b), out_sinfo=R.Tensor((16, 48), "float32"))
        y = R.call_tir(cls.rows, (x,), out_sinfo=R.Tensor((3, 24), "int32"))
        d = R.call_tir(cls.named, (p, q), out_sinfo=R.Tensor((16, 8), "int32"))
        return (c, y, d)
