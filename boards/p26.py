# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def grow(x: T.Buffer((), "float32"), y: T.Buffer((), "float32")):
        with T.sblock("sum"):
            x[()] = x[()] + y[()]

    @T.prim_func(private=True, s_tir=True)
    def kernel(lv: T.handle, out: T.handle):
        T.func_attr({"operator_name": "kernel"})
        n0 = T.int64()
        lv_1 = T.match_buffer(lv, (n0, n0, T.int64(3), T.int64(2)), "float16")
        out_1 = T.match_buffer(out, (n0, n0, T.int64(3), T.int64(2)), "float16")
        for i0, i1, i2, i3 in T.grid(n0, n0, T.int64(3), T.int64(2)):
            with T.sblock("out"):
                v_i0, v_i1, v_i2, v_i3 = T.axis.remap("SSSS", [i0, i1, i2, i3])
                out_1[v_i0, v_i1, v_i2, v_i3] = lv_1[v_i0, v_i1, v_i2, v_i3] + lv_1[v_i0, v_i1, v_i2, v_i3]

    @T.prim_func(private=True, s_tir=True)
    def sized(lv: T.Buffer((), "float32"), out: T.handle, n0: T.int64):
        T.func_attr({"operator_name": "sized"})
        out_1 = T.match_buffer(out, (n0 + T.int64(1),), "float32")
        for i0 in range(n0 + T.int64(1)):
            with T.sblock("out"):
                v_i0 = T.axis.spatial(n0 + T.int64(1), i0)
                out_1[v_i0] = lv[()] + T.Cast("float32", v_i0)

    @R.function
    def main(x0: R.Tensor(("n0",), dtype="float32"), x1: R.Tensor((3, 3, "n0"), dtype="float32")):
        n0 = T.int64()
        cls = Module
        lv = R.greater(x0, x0)
        lv_1 = R.full(R.shape([n0, n0, 3, 4]), R.const(0.75, "float16"), dtype="float16")
        lv_2 = R.nn.adaptive_avg_pool2d(lv_1, output_size=[3, 2], layout="NCHW", out_layout="NCHW")
        lv_3 = R.call_tir(cls.kernel, (lv_2,), out_ty=R.Tensor((n0, n0, 3, 2), dtype="float16"))
        lv_4 = R.flatten(x1)
        lv_5 = R.take(lv_4, R.const(11, "int64"), axis=0, mode="fast")
        lv_6 = R.broadcast_to(lv_5, R.shape([n0, 3, 4, 2]))
        lv_7 = R.vision.roi_pool(lv_6, R.const([[0.0, 0.0, 0.0, 2.0, 2.0], [0.0, 0.5, 0.0, 1.5, 3.0]], "float32"), pooled_size=[2, 1], spatial_scale=1.0, layout="NCHW")
        lv_8 = R.take(lv, R.const(0, "int64"), axis=0, mode="fast")
        if lv_8:
            with R.dataflow():
                lv_9 = R.memory.ensure_zero_offset(lv_4)
                @R.function
                def fn(a0: R.Tensor((), dtype="float32"), a1: R.Tuple(R.Tensor((), dtype="float64"), R.Tensor((3, n0), dtype="float32")), a2: R.Tensor((), dtype="float32")):
                    lv_10 = a1[0]
                    lv_11 = R.ones(R.shape([n0, 4, 4, 4]), dtype="float32")
                    lv_12 = R.flatten(x1)
                    lv_13 = R.take(lv_12, R.const([[[[11], [11]]], [[[4], [1]]], [[[15], [17]]], [[[16], [6]]]], "int64"), axis=0, mode="fast")
                    lv_14 = R.nn.conv2d_transpose(lv_11, lv_13, strides=[1, 1], padding=[1, 1, 0, 0], output_padding=[0, 0], dilation=[1, 1], groups=2, data_layout="NCHW", kernel_layout="IOHW", out_layout="NCHW", out_dtype=None)
                    lv_15 = R.negative(a2)
                    lv_16 = R.call_tir_inplace(cls.grow, (lv_15, a0), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[0])
                    return (lv_16, lv_10, (lv_4, lv_16))
                lv_17 = R.broadcast_to(lv_5, R.shape([3, n0]))
                lv_18 = fn(lv_5, (R.const(-0.75, "float64"), lv_17), lv_5)
                lv_19 = R.flatten(lv_17)
                lv_20 = R.take(lv_19, R.const([[[0, 2, 3, 0, 1, 4], [4, 3, 5, 2, 1, 5], [2, 2, 5, 4, 4, 5]], [[5, 5, 0, 3, 5, 2], [4, 1, 2, 3, 3, 1], [4, 0, 4, 3, 4, 1]]], "int64"), axis=0, mode="fast")
                lv_21 = R.isfinite(lv_20)
                lv_22 = R.where(lv_21, lv_20, R.const(0.0, "float32"))
                lv_23 = R.where(lv_21, lv_20, R.const(0.0, "float32"))
                lv_24 = R.sigmoid(lv_23)
                lv_25 = R.vision.get_valid_counts(lv_24, score_threshold=0.5, id_index=0, score_index=1)
                lv_26 = lv_25[1]
                gv = lv_21
                gv_1 = lv_19
                R.output(gv, gv_1)
            lv_27 = R.zeros(R.shape([n0 * 9]), dtype="bool")
            lv_28 = R.where(lv_27, lv_4, lv_4)
            lv_29 = lv_7
        else:
            with R.dataflow():
                @R.function
                def add(u: R.Tensor((), dtype="float32"), v: R.Tensor((), dtype="float32")):
                    lv_30 = R.subtract(u, v)
                    return lv_30
                lv_31 = R.make_closure(add, (lv_5,))
                lv_32 = R.make_closure(add, (lv_5,))
                lv_33 = R.flatten(lv_7)
                lv_34 = R.take(lv_33, R.const(11, "int64"), axis=0, mode="fast")
                lv_35 = R.invoke_pure_closure(lv_32, (lv_34,), ty_args=(R.Tensor((), dtype="float32"),))
                lv_36 = R.call_tir(cls.sized, (lv_35,), tir_vars=R.shape([n0]), out_ty=R.Tensor((n0 + 1,), dtype="float32"))
                lv_37 = R.acosh(x0)
                gv_2 = lv_34
                gv_3 = lv_35
                gv_4 = lv
                R.output(gv_2, gv_3, gv_4)
            lv_29 = lv_7
        lv_38 = lv_8
        lv_39 = R.isfinite(lv_7)
        lv_40 = R.builtin.stop_lift_params(lv_29)
        @R.function
        def add_1(u_1: R.Tensor((n0 * 9,), dtype="float32"), v_1: R.Tensor((n0 * 9,), dtype="float32")):
            lv_41 = R.subtract(u_1, v_1)
            return lv_41
        lv_42 = R.make_closure(add_1, (lv_4,))
        lv_43 = R.invoke_pure_closure(lv_42, (lv_4,), ty_args=(R.Tensor((n0 * 9,), dtype="float32"),))
        return (lv_1, x0, lv_3, x0)
