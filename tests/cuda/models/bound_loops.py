from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # Two nests, two launches: the second reads what all blocks of the first wrote.
    @T.prim_func
    def scan(x: T.handle, y: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "float32")
        Y = T.match_buffer(y, (n,), "float32")
        twice = T.alloc_buffer((n,), "float32")
        for b in T.thread_binding((n + T.int64(31)) // T.int64(32), thread="blockIdx.x"):
            for t in T.thread_binding(T.int64(32), thread="threadIdx.x"):
                if b * T.int64(32) + t < n:
                    twice[b * T.int64(32) + t] = X[b * T.int64(32) + t] * T.float32(2)
        for b in T.thread_binding((n + T.int64(31)) // T.int64(32), thread="blockIdx.x"):
            for t in T.thread_binding(T.int64(32), thread="threadIdx.x"):
                if b * T.int64(32) + t < n:
                    Y[b * T.int64(32) + t] = twice[n - T.int64(1) - (b * T.int64(32) + t)]

    # Sums of 32 numbers by the lanes of a warp.
    @T.prim_func
    def sums(X: T.Buffer((4, 32), "float32"), S: T.Buffer((4,), "float32")):
        bx = T.launch_thread("blockIdx.x", 4)
        tx = T.launch_thread("threadIdx.x", 32)
        own = T.alloc_local((1,), "float32")
        own[0] = X[bx, tx]
        for i in range(5):
            own[0] = own[0] + T.tvm_warp_shuffle_xor(T.uint32(0xFFFFFFFF), own[0], T.shift_right(16, i), 32, 32)
        if tx == 0:
            S[bx] = own[0]

    # How often each number comes, by atomics; threads past the end do nothing.
    @T.prim_func
    def histogram(x: T.handle, h: T.handle):
        n = T.int64()
        X = T.match_buffer(x, (n,), "int32")
        H = T.match_buffer(h, (8,), "int32")
        for t in T.thread_binding(8, thread="threadIdx.x"):
            H[t] = 0
        for b in T.thread_binding((n + T.int64(63)) // T.int64(64), thread="blockIdx.x"):
            for t in T.thread_binding(T.int64(64), thread="threadIdx.x"):
                if b * T.int64(64) + t < n:
                    T.evaluate(T.atomic_add(H[X[b * T.int64(64) + t] & 7], 1))

    @R.function
    def main(x: R.Tensor(("n",), "float32"), r: R.Tensor((4, 32), "float32"), k: R.Tensor(("n",), "int32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.scan, (x,), out_sinfo=R.Tensor((n,), "float32"))
        s = R.call_tir(cls.sums, (r,), out_sinfo=R.Tensor((4,), "float32"))
        h = R.call_tir(cls.histogram, (k,), out_sinfo=R.Tensor((8,), "int32"))
        return (y, s, h)
