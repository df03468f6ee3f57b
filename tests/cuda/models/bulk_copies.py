from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # Bytes by bulk copies, which a barrier counts.
    @T.prim_func
    def bulk(X: T.Buffer((3, 64), "float16"), Y: T.Buffer((3, 64), "float16")):
        T.device_entry()
        block = T.cta_id([3])
        t = T.thread_id([64])
        tile = T.alloc_shared((64,), "float16")
        out = T.alloc_shared((64,), "float16")
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.data, T.uint32(1))
            T.ptx.fence.mbarrier_init.release.cluster()
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.data, T.uint32(128))
            T.ptx["cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"](tile.data, X.ptr_to([block, 0]), T.uint32(128), bar.data)
        T.cuda.cta_sync()
        T.cuda.mbarrier_wait(bar.data, 0)
        out[t] = tile[63 - t] + T.float16(1)
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        if t == 0:
            T.ptx["cp.async.bulk.global.shared::cta.bulk_group"](Y.ptr_to([block, 0]), out.data, T.uint32(128))
            T.ptx.cp.async_.bulk.commit_group()
            T.ptx.cp.async_.bulk.wait_group(0)

    # The older spelling: barriers have numbers.
    @T.prim_func(s_tir=True)
    def numbered(A: T.Buffer((32, 128), "float16"), B: T.Buffer((32, 128), "float16")):
        bx = T.launch_thread("blockIdx.x", 1)
        tx = T.launch_thread("threadIdx.x", 32)
        with T.sblock():
            shared = T.sblock_alloc_buffer((32, 128), "float16", scope="shared")
            T.evaluate(T.create_barriers(1))
            T.evaluate(T.ptx_init_barrier_thread_count(0, 32))
            T.evaluate(T.ptx_cp_async_bulk("float16", shared.data, tx * 128, A.data, tx * 128, 256, 0))
            T.evaluate(T.ptx_arrive_barrier_expect_tx(0, 256))
            T.evaluate(T.ptx_wait_barrier(0))
            for i in range(128):
                B[tx, i] = shared[31 - tx, i] + T.float16(1)

    # What lanes hold of four small matrices goes to shared memory, by rows and turned.
    @T.prim_func
    def rows(X: T.Buffer((32, 8), "float16"), Y: T.Buffer((2, 32, 8), "float16")):
        T.device_entry()
        which = T.cta_id([2])
        lane = T.lane_id([32])
        tile = T.alloc_shared((32, 8), "float16")
        own = T.alloc_local((8,), "float16")
        for i in range(8):
            own[i] = X[lane, i]
        if which == 0:
            T.ptx.stmatrix(False, 4, ".b16", tile.ptr_to([lane, 0]), own.ptr_to([0]), own.ptr_to([2]), own.ptr_to([4]), own.ptr_to([6]), shape="m8n8", space="shared")
        else:
            T.ptx.stmatrix(4, True, tile.ptr_to([lane, 0]), own.ptr_to([0]))
        T.cuda.warp_sync()
        for i in range(8):
            Y[which, lane, i] = tile[lane, i]

    @T.prim_func
    def words(X: T.Buffer((32,), "uint32"), Y: T.Buffer((16, 4), "uint32")):
        T.device_entry()
        block = T.cta_id([1])
        lane = T.lane_id([32])
        tile = T.alloc_shared((16, 4), "uint32")
        own = T.alloc_local((2,), "uint32")
        own[0] = X[lane]
        own[1] = X[31 - lane] + T.uint32(7)
        T.ptx.stmatrix.sync.aligned.m8n8.x2.shared.b16(tile.ptr_to([lane % 16, 0]), own[0], own[1])
        T.cuda.warp_sync()
        if lane < 16:
            for i in range(4):
                Y[lane, i] = tile[lane, i]

    @R.function
    def main(y: R.Tensor((3, 64), "float16"), z: R.Tensor((32, 128), "float16"), h: R.Tensor((32, 8), "float16"), w: R.Tensor((32,), "uint32")):
        cls = Module
        a = R.call_tir(cls.bulk, (y,), out_sinfo=R.Tensor((3, 64), "float16"))
        b = R.call_tir(cls.numbered, (z,), out_sinfo=R.Tensor((32, 128), "float16"))
        c = R.call_tir(cls.rows, (h,), out_sinfo=R.Tensor((2, 32, 8), "float16"))
        d = R.call_tir(cls.words, (w,), out_sinfo=R.Tensor((16, 4), "uint32"))
        return (a, b, c, d)
