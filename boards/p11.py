# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(a2: T.handle, out: T.handle):
        T.func_attr({"operator_name": "kernel"})
        k0 = T.int64()
        a2_1 = T.match_buffer(a2, (k0, k0), "float32")
        out_1 = T.match_buffer(out, (k0, k0), "float32")
        for i0, i1 in T.grid(k0, k0):
            with T.sblock("out"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                out_1[v_i0, v_i1] = a2_1[v_i0, v_i1] + a2_1[v_i0, v_i1]

    @T.prim_func(private=True, s_tir=True)
    def kernel1(lv: T.Buffer((T.int64(1),), "float32"), out: T.Buffer((T.int64(1),), "float32")):
        T.func_attr({"operator_name": "kernel"})
        for i0 in range(T.int64(1)):
            with T.sblock("out"):
                v_i0 = T.axis.spatial(T.int64(1), i0)
                out[v_i0] = lv[v_i0] + lv[v_i0]

    @R.function(private=True)
    def even(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k2",), dtype="float32")) -> R.Tensor(("k2",), dtype="float32"):
        k2 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.broadcast_to(R.const(0.25, "float32"), R.shape([k2]))
            lv_4 = R.add(x, lv_3)
            lv_1 = cls.odd(lv_2, lv_4)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def odd(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k2",), dtype="float32")) -> R.Tensor(("k2",), dtype="float32"):
        k2 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.broadcast_to(R.const(-1.375, "float32"), R.shape([k2]))
            lv_4 = R.add(x, lv_3)
            lv_1 = cls.even(lv_2, lv_4)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def part(a0: R.Tensor(("k0",), dtype="float16"), a1: R.Tensor((), dtype="float32"), a2: R.Tensor(("k0", "k0"), dtype="float32")):
        k0 = T.int64()
        cls = Module
        lv = R.call_tir(cls.kernel, (a2,), out_ty=R.Tensor((k0, k0), dtype="float32"))
        lv_1 = R.builtin.alloc_tensor(R.shape([4, 2]), R.dtype("int32"), 0, R.str("global"))
        return (lv, a2, a2, lv)

    @R.function(private=True)
    def part1(a0: R.Tensor(("k1",), dtype="float32"), a1: R.Tensor((), dtype="float64"), a2: R.Tensor((), dtype="float32")):
        k1 = T.int64()
        lv = R.mean(a0, axis=[-1], keepdims=False)
        lv_1 = R.logical_or(R.const(True, "bool"), R.const(True, "bool"))
        lv_2 = R.logical_or(R.const(True, "bool"), R.const(True, "bool"))
        lv_3 = R.grad.no_grad(lv_1)
        lv_4 = R.ones(R.shape([k1, 4]), dtype="int64")
        lv_5 = R.bitwise_or(lv_4, lv_4)
        return (a2, lv_3)

    @R.function
    def main(x0: R.Tensor(("n3",), dtype="float32"), x1: R.Tensor((), dtype="float64")):
        n3 = T.int64()
        m4 = T.int64()
        cls = Module
        lv = R.broadcast_to(R.const(True, "bool"), R.shape([n3]))
        lv_1 = R.broadcast_to(R.const(True, "bool"), R.shape([n3]))
        lv_2 = R.bitwise_not(lv_1)
        lv_3 = R.full(R.shape([n3, n3]), R.const(-3, "int64"), dtype="int64")
        lv_4 = R.eye_like(lv_3, 1, dtype=None)
        lv_5 = (lv_3, lv_4)
        lv_6 = R.match_cast(lv_5, R.Tuple(R.Tensor((m4, n3), dtype="int64"), R.Tensor((n3, n3), dtype="int64")))
        lv_7 = lv_6[0]
        lv_8 = R.argmin(lv_7, axis=None, keepdims=True)
        lv_9 = cls.even(R.const(1, "int32"), R.const([-0.125], "float32"))
        lv_10 = R.tan(lv_9)
        lv_11 = R.call_tir(cls.kernel1, (lv_10,), out_ty=R.Tensor((1,), dtype="float32"))
        lv_12 = R.zeros(R.shape([1, m4, 5, 2]), dtype="float32")
        lv_13 = R.nn.avg_pool2d(lv_12, pool_size=[1, 2], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
        lv_14 = R.grad.avg_pool2d_backward(lv_13, lv_12, pool_size=[1, 2], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
        lv_15 = lv_12
        lv_16 = R.tan(x0)
        return (lv_15, lv_14, lv_12, lv_13)
