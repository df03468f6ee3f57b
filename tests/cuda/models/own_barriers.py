from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # A producer warp copies what the consumer warp adds up, in two stages.
    @T.prim_func
    def ring(X: T.Buffer((5, 32), "float32"), Y: T.Buffer((32,), "float32")):
        T.device_entry()
        block = T.cta_id([1])
        warp = T.warp_id([2])
        lane = T.lane_id([32])
        tile = T.alloc_shared((2, 32), "float32")
        full = T.alloc_shared((2,), "uint64")
        empty = T.alloc_shared((2,), "uint64")
        if warp == 0 and lane == 0:
            for i in range(2):
                T.ptx.mbarrier.init(full.ptr_to([i]), 32)
                T.ptx.mbarrier.init.shared.b64(empty.ptr_to([i]), T.uint32(32))
            T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cta_sync()
        if warp == 0:
            for k in range(5):
                T.cuda.mbarrier_wait(empty.ptr_to([k % 2]), (k // 2 + 1) % 2)
                tile[k % 2, lane] = X[k, lane] * T.float32(2)
                T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k % 2]))
        else:
            sum: T.float32 = T.float32(0)
            for k in range(5):
                T.ptx.mbarrier.try_wait(full.ptr_to([k % 2]), k // 2 % 2)
                sum = sum + tile[k % 2, 31 - lane]
                T.ptx.mbarrier.arrive(empty.ptr_to([k % 2]))
            Y[lane] = sum

    # Copies of threads arrive, in the older spelling: barriers have numbers.
    @T.prim_func(s_tir=True)
    def copied(A: T.Buffer((32, 8), "float32"), B: T.Buffer((32, 8), "float32")):
        bx = T.launch_thread("blockIdx.x", 1)
        tx = T.launch_thread("threadIdx.x", 32)
        with T.sblock():
            shared = T.sblock_alloc_buffer((32, 8), "float32", scope="shared")
            T.evaluate(T.create_barriers(2))
            T.evaluate(T.ptx_init_barrier_thread_count(1, 32))
            for i in range(2):
                T.evaluate(T.ptx_cp_async("float32", shared.data, tx * 8 + i * 4, A.data, tx * 8 + i * 4, 16))
            T.evaluate(T.ptx_cp_async_barrier(1))
            T.evaluate(T.ptx_arrive_barrier(1))
            T.evaluate(T.ptx_wait_barrier(1))
            for i in range(8):
                B[tx, i] = shared[31 - tx, i] * T.float32(3)

    @R.function
    def main(x: R.Tensor((5, 32), "float32"), w: R.Tensor((32, 8), "float32")):
        cls = Module
        a = R.call_tir(cls.ring, (x,), out_sinfo=R.Tensor((32,), "float32"))
        b = R.call_tir(cls.copied, (w,), out_sinfo=R.Tensor((32, 8), "float32"))
        return (a, b)
