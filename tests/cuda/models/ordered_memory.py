from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # The block that comes last adds up what the others have left.
    @T.prim_func
    def last(X: T.Buffer((5, 33), "float32"), P: T.Buffer((5,), "float32"), C: T.Buffer((1,), "int32"), Y: T.Buffer((1,), "float32")):
        T.device_entry()
        b = T.cta_id([5])
        t = T.thread_id([33])
        before = T.local_scalar("int32")
        sum = T.local_scalar("float32")
        if t == 0:
            sum = T.float32(0)
            for i in range(33):
                sum = sum + X[b, i]
            P[b] = sum
            T.ptx.atom.acq_rel.gpu.global_.add.s32(before, C.ptr_to([0]), 1)
            if before == 4:
                sum = T.float32(0)
                for i in range(5):
                    sum = sum + P[i]
                Y[0] = sum

    # One warp hands over to the other by a flag, there and back.
    @T.prim_func
    def flags(X: T.Buffer((64,), "float32"), F: T.Buffer((2,), "int32"), Y: T.Buffer((64,), "float32")):
        T.device_entry()
        b = T.cta_id([1])
        w = T.warp_id([2])
        l = T.lane_id([32])
        S = T.alloc_shared((32,), "float32")
        seen = T.local_scalar("int32")
        if w == 0:
            S[l] = X[l]
            T.cuda.warp_sync()
            if l == 0:
                T.ptx.st.release.cta.global_.s32(F.ptr_to([0]), 1)
            seen = 0
            while seen == 0:
                T.ptx.ld.acquire.cta.global_.s32(seen, F.ptr_to([1]))
            Y[l] = S[31 - l]
        else:
            seen = 0
            while seen == 0:
                T.ptx.ld.acquire.cta.global_.b32(seen, F.ptr_to([0]))
            Y[32 + l] = S[31 - l]
            T.cuda.warp_sync()
            S[l] = X[32 + l]
            T.cuda.warp_sync()
            if l == 0:
                T.ptx.st.release.cta.global_.s32(F.ptr_to([1]), 1)

    # Each block counts with its own fences; a thread that tests the phase continues with other work.
    @T.prim_func
    def asked(X: T.Buffer((3, 33), "float32"), C: T.Buffer((2,), "uint32"), Y: T.Buffer((3, 33), "float32")):
        T.device_entry()
        b = T.cta_id([3])
        t = T.thread_id([33])
        S = T.alloc_shared((33,), "float32")
        bar = T.alloc_shared((1,), "uint64")
        ended = T.local_scalar("uint32")
        word = T.local_scalar("uint32")
        T.ptx.mbarrier.init(bar.ptr_to([0]), 33, pred=t == 0)
        T.cuda.cta_sync()
        S[t] = X[b, t]
        T.ptx.mbarrier.arrive(bar.ptr_to([0]))
        ended = T.uint32(0)
        while ended == T.uint32(0):
            T.ptx.mbarrier.test_wait.parity.shared__cta.b64(ended, bar.ptr_to([0]), 0)
        Y[b, t] = S[32 - t]
        while T.ptx.mbarrier_try_wait_once(bar.ptr_to([0]), 0) == T.uint32(0):
            Y[b, t] = T.float32(0)
        if t == 0:
            T.ptx.fence.acq_rel.gpu()
            T.ptx.red.release.gpu.global_.add.u32(C.ptr_to([0]), T.uint32(b + 1))
            T.ptx.membar.cta()
            T.ptx.ld.volatile.global_.u32(word, C.ptr_to([0]))
            T.ptx.atom.relaxed.cta.global_.cas.b32(word, C.ptr_to([1]), T.uint32(0), T.uint32(7))
            if word == T.uint32(9):
                Y[b, t] = T.float32(0)

    # The older spelling, and numbers of 64 bits.
    @T.prim_func
    def wide(N: T.Buffer((3,), "int64"), F: T.Buffer((2,), "float64"), Y: T.Buffer((3,), "int64")):
        T.device_entry()
        t = T.thread_id([33])
        if t == 0:
            T.ptx.st.relaxed.sys.global_.b64(Y.ptr_to([0]), N[0] + T.int64(1))
            T.ptx.fence.sc.sys()
            Y[1] = T.ptx.ld_acquire(N.ptr_to([1]), "int64", "s64", scope="sys", space="global")
            T.ptx.st.volatile.global_.u64(Y.ptr_to([2]), T.ptx.ld_volatile(N.ptr_to([2]), "int64", "s64", space="global"))
            T.ptx.st.release.gpu.global_.f64(F.ptr_to([1]), F[0])

    @R.function
    def main(x: R.Tensor((5, 33), "float32"), z: R.Tensor((64,), "float32"), y: R.Tensor((3, 33), "float32"), n: R.Tensor((3,), "int64"), d: R.Tensor((2,), "float64")):
        c = R.zeros((1,), "int32")
        f = R.zeros((2,), "int32")
        p = R.zeros((5,), "float32")
        a = R.call_tir_inplace(Module.last, (x, p, c), inplace_indices=[1, 2, -1], out_sinfo=[R.Tensor((5,), "float32"), R.Tensor((1,), "int32"), R.Tensor((1,), "float32")])
        b = R.call_tir_inplace(Module.flags, (z, f), inplace_indices=[1, -1], out_sinfo=[R.Tensor((2,), "int32"), R.Tensor((64,), "float32")])
        c2 = R.call_tir_inplace(Module.asked, (y, R.zeros((2,), "uint32")), inplace_indices=[1, -1], out_sinfo=[R.Tensor((2,), "uint32"), R.Tensor((3, 33), "float32")])
        d2 = R.call_tir_inplace(Module.wide, (n, d), inplace_indices=[1, -1], out_sinfo=[R.Tensor((2,), "float64"), R.Tensor((3,), "int64")])
        return (a, b, c2, d2)
