from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # Instructions by PTX's own names that say what loop nests can.
    @T.prim_func
    def whole(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32"), Y: T.Buffer((8, 32), "int32"), Z: T.Buffer((32,), "int64")):
        T.device_entry()
        block = T.cta_id([1])
        t = T.thread_id([32])
        a = T.local_scalar("int32")
        b = T.local_scalar("int32")
        d = T.local_scalar("int32")
        u = T.local_scalar("uint32")
        p = T.local_scalar("uint32")
        q = T.local_scalar("uint32")
        w = T.local_scalar("int64")
        T.ptx.ld.global_.b32(a, A.ptr_to([t]))
        T.ptx.ld.global_.nc.b32(b, B.ptr_to([t]))
        T.ptx.add.s32(d, a, b)
        T.ptx.st.global_.b32(Y.ptr_to([0, t]), d)
        T.ptx.mul.lo.s32(d, a, b)
        T.ptx.st.global_.s32(Y.ptr_to([1, t]), d)
        T.ptx.mul.wide.s32(w, a, b)
        T.ptx.mad.wide.s32(w, a, a, w)
        Z[t] = w
        T.ptx.setp.lt.s32(p, a, b)
        T.ptx.setp.gt.or_.s32(q, a, T.int32(0), T.ptx.pred(p))
        T.ptx.selp.b32(d, a, b, T.ptx.pred(p))
        Y[2, t] = d
        T.ptx.xor.b32(u, a, b)
        T.ptx.not_.b32(u, u)
        T.ptx.popc.b32(u, u)
        Y[3, t] = T.Cast("int32", u) + T.Cast("int32", q) * 100
        T.ptx.shr.s32(d, a, T.uint32(40))
        T.ptx.shl.b32(u, b, T.uint32(3))
        Y[4, t] = d + T.Cast("int32", u)
        T.ptx.abs.s32(d, a)
        T.ptx.max.s32(d, d, b)
        Y[5, t] = d
        Y[6, t] = 5
        T.ptx.add.s32(Y[6, t], a, T.int32(1), pred=p)
        T.ptx.min.u32(u, a, b)
        Y[7, t] = T.Cast("int32", u)

    @T.prim_func
    def floats(A: T.Buffer((64,), "float32"), Y: T.Buffer((64,), "float32"), C: T.Buffer((1,), "uint32")):
        T.device_entry()
        block = T.cta_id([1])
        t = T.thread_id([32])
        tile = T.alloc_shared((64,), "float32")
        x = T.local_scalar("float32")
        y = T.local_scalar("float32")
        both = T.local_scalar("uint64")
        T.ptx.prefetch.global_.L2(A.ptr_to([0]))
        T.ptx.ld.global_.v2.f32(x, y, A.ptr_to([2 * t]))
        T.ptx.mov.b64(both, x, y)
        T.ptx.mov.b64(y, x, both)
        T.ptx.st.shared__cta.b32(tile.ptr_to([2 * t]), x)
        T.ptx.st.shared.b32(T.ptx.addr(tile.ptr_to([2 * t]), 4), y)
        if t == 0:
            C[0] = T.uint32(0)
        T.ptx.bar.sync(0)
        T.ptx.ld.shared.b32(x, tile.ptr_to([63 - t]))
        T.ptx.mul.rn.f32(x, x, x)
        T.ptx.neg.f32(y, x)
        T.ptx.max.f32(y, y, T.float32(-0.5))
        T.ptx.st.global_.v2.b32(Y.ptr_to([2 * t]), x, y)
        T.ptx.red.relaxed.gpu.global_.add.u32(C.ptr_to([0]), T.uint32(3))

    @R.function
    def main(a: R.Tensor((32,), "int32"), b: R.Tensor((32,), "int32"), x: R.Tensor((64,), "float32")):
        cls = Module
        i = R.call_tir(cls.whole, (a, b), out_sinfo=[R.Tensor((8, 32), "int32"), R.Tensor((32,), "int64")])
        f = R.call_tir(cls.floats, (x,), out_sinfo=[R.Tensor((64,), "float32"), R.Tensor((1,), "uint32")])
        return (i, f)
