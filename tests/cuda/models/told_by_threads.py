from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # Sums of rows by the threads of a block, two rows at a time, and the largest element with its place.
    @T.prim_func
    def sums(X: T.Buffer((6, 50), "float32"), S: T.Buffer((6,), "float32"), L: T.Buffer((6,), "float32"), P: T.Buffer((6,), "int32")):
        for b in T.thread_binding(3, thread="blockIdx.x"):
            for ty in T.thread_binding(2, thread="threadIdx.y"):
                for tx in T.thread_binding(50, thread="threadIdx.x"):
                    row = T.alloc_local((1,), "float32")
                    largest = T.alloc_local((1,), "float32")
                    place = T.alloc_local((1,), "int32")
                    with T.attr(T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), "reduce_scope", T.reinterpret(T.uint64(0), dtype="handle")):
                        T.tvm_thread_allreduce(T.uint32(1), X[b * 2 + ty, tx], tx < 47, row[0], tx, dtype="handle")
                    with T.attr(T.comm_reducer(lambda i, x, j, y: (T.Select(x > y or (x == y and i < j), i, j), T.Select(x > y, x, y)), [T.int32(1000), T.float32(-1e30)]), "reduce_scope", T.reinterpret(T.uint64(0), dtype="handle")):
                        T.tvm_thread_allreduce(T.uint32(2), tx, X[b * 2 + ty, tx], T.bool(True), place[0], largest[0], tx, dtype="handle")
                    if tx == 0:
                        S[b * 2 + ty] = row[0]
                        L[b * 2 + ty] = largest[0]
                        P[b * 2 + ty] = place[0]

    # What lanes and threads tell each other.
    @T.prim_func
    def votes(X: T.Buffer((128,), "float32"), V: T.Buffer((128, 8), "int32"), F: T.Buffer((128, 5), "float32"), H: T.Buffer((4,), "uint32")):
        for b in T.thread_binding(2, thread="blockIdx.x"):
            for tx in T.thread_binding(64, thread="threadIdx.x"):
                scratch = T.alloc_shared((2,), "float32")
                x: T.float32 = X[b * 64 + tx]
                V[b * 64 + tx, 0] = T.Cast("int32", T.cuda.ballot_sync(T.uint32(0xFFFFFFFF), T.Cast("int32", x > T.float32(0))))
                V[b * 64 + tx, 1] = T.Cast("int32", T.cuda.syncthreads_and(T.Cast("int32", x > T.float32(-9)))) + T.Cast("int32", T.cuda.syncthreads_or(T.Cast("int32", x > T.float32(9)))) * 2
                V[b * 64 + tx, 2] = T.cuda.thread_rank()
                V[b * 64 + tx, 3] = T.cuda.mov_sreg(32, "laneid")
                V[b * 64 + tx, 4] = T.cuda.ffs_u32(T.uint32(48))
                V[b * 64 + tx, 5] = T.Cast("int32", T.cuda.reduce_add_sync_u32(T.uint32(0xFFFFFFFF), T.Cast("uint32", tx)))
                V[b * 64 + tx, 6] = T.cuda.__shfl_xor_sync(T.uint32(0xFFFFFFFF), tx, 1, 32)
                V[b * 64 + tx, 7] = T.Cast("int32", T.cuda.float_as_uint(x))
                F[b * 64 + tx, 0] = T.cuda.warp_sum(x, 8)
                F[b * 64 + tx, 1] = T.cuda.cta_max(x, 2, scratch.data)
                F[b * 64 + tx, 2] = T.cuda.fdividef(x, T.float32(3))
                F[b * 64 + tx, 3] = T.cuda.float2_y(T.cuda.fadd2_rn(T.cuda.make_float2(x, T.float32(2)), T.cuda.make_float2(x, x)))
                F[b * 64 + tx, 4] = T.cuda.ldg(T.address_of(X[b * 64 + tx]), "float32")
                if T.cuda.elect_sync() != T.uint32(0):
                    H[b * 2 + tx // 32] = T.uint32(tx)

    # A count that threads of all blocks raise, and the first of them by a comparison.
    @T.prim_func
    def counts(X: T.Buffer((96,), "int32"), C: T.Buffer((4,), "int32")):
        for t in T.thread_binding(4, thread="threadIdx.x"):
            C[t] = 0
        for b in T.thread_binding(3, thread="blockIdx.x"):
            for t in T.thread_binding(32, thread="threadIdx.x"):
                T.evaluate(T.cuda.atomic_add(T.address_of(C[X[b * 32 + t] & 1]), 1))
                T.evaluate(T.cuda.atomic_cas(T.address_of(C[3]), 0, 7))
                for i in range(2):
                    before: T.let[T.int32] = T.cuda.atomic_add(T.address_of(C[2]), 1)
                    if before < 0:
                        C[3] = before

    # A tile that the program declares for all threads, of which each has its own part.
    @T.prim_func
    def own_parts(X: T.Buffer((24, 20), "float32"), Y: T.Buffer((24, 20), "float32")):
        with T.sblock("root"):
            part = T.sblock_alloc_buffer((24, 20), "float32", scope="local")
            sum = T.sblock_alloc_buffer((1,), "float32", scope="local")
            for b in T.thread_binding(3, thread="blockIdx.x"):
                for t in T.thread_binding(4, thread="threadIdx.x"):
                    for i, j in T.grid(2, 20):
                        with T.sblock("read"):
                            vi = T.axis.spatial(24, b * 8 + t * 2 + i)
                            vj = T.axis.spatial(20, j)
                            part[vi, vj] = X[vi, vj] * T.float32(2)
                    sum[0] = X[b, t]
                    T.tvm_storage_sync("shared")
                    for i, j in T.grid(2, 20):
                        with T.sblock("write"):
                            vi = T.axis.spatial(24, b * 8 + t * 2 + i)
                            vj = T.axis.spatial(20, j)
                            Y[vi, vj] = part[vi, vj] + sum[0]

    @R.function
    def main(x: R.Tensor((6, 50), "float32"), v: R.Tensor((128,), "float32"), k: R.Tensor((96,), "int32"), y: R.Tensor((24, 20), "float32")):
        cls = Module
        sums = R.call_tir(cls.sums, (x,), out_sinfo=[R.Tensor((6,), "float32"), R.Tensor((6,), "float32"), R.Tensor((6,), "int32")])
        votes = R.call_tir(cls.votes, (v,), out_sinfo=[R.Tensor((128, 8), "int32"), R.Tensor((128, 5), "float32"), R.Tensor((4,), "uint32")])
        counts = R.call_tir(cls.counts, (k,), out_sinfo=R.Tensor((4,), "int32"))
        parts = R.call_tir(cls.own_parts, (y,), out_sinfo=R.Tensor((24, 20), "float32"))
        return (sums, votes, counts, parts)
