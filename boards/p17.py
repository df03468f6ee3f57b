# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sized(a1: T.Buffer((), "float32"), out: T.handle, n0: T.int64):
        T.func_attr({"operator_name": "sized"})
        out_1 = T.match_buffer(out, (n0 + T.int64(1),), "float32")
        for i0 in range(n0 + T.int64(1)):
            with T.sblock("out"):
                v_i0 = T.axis.spatial(n0 + T.int64(1), i0)
                out_1[v_i0] = a1[()] + T.Cast("float32", v_i0)

    @R.function
    def main(x0: R.Tensor(("n0", "n1", "n2"), dtype="float32"), x1: R.Tensor(("n2", 1, 1), dtype="bool"), x2: R.Tensor((), dtype="int16"), x3: R.Tensor(("n1",), dtype="float32")):
        n0 = T.int64()
        n1 = T.int64()
        n2 = T.int64()
        cls = Module
        lv = R.cosh(x3)
        lv_1 = R.take(x3, R.const([[[[0], [1]], [[0], [0]]], [[[1], [0]], [[0], [0]]]], "int64"), axis=0, mode="fast")
        lv_2 = R.nn.conv2d(R.const([[[[-0.25, 0.125, -1.5, 0.0], [-1.5, -1.125, 0.75, -1.25]], [[0.125, -1.25, -0.875, 1.5], [-0.75, -0.75, 0.125, 0.25]], [[1.25, -0.25, 1.375, -0.375], [-0.75, -1.5, 0.125, 0.125]], [[0.625, 0.0, -1.5, 0.25], [0.25, -0.75, 1.375, 0.875]]]], "float32"), lv_1, strides=[2, 1], padding=[1, 1, 0, 1], dilation=[2, 2], groups=2, data_layout="NHWC", kernel_layout="OIHW", out_layout="NHWC", out_dtype=None)
        lv_3 = R.isfinite(R.const([[[1.375, 0.375, 0.25, 0.0], [0.625, 0.0, -1.125, -0.375]]], "float32"))
        lv_4 = R.where(lv_3, R.const([[[1.375, 0.375, 0.25, 0.0], [0.625, 0.0, -1.125, -0.375]]], "float32"), R.const(0.0, "float32"))
        lv_5 = R.sigmoid(lv_4)
        lv_6 = R.isfinite(R.const([[[-1.5, 0.875], [1.0, -0.75]]], "float32"))
        lv_7 = R.where(lv_6, R.const([[[-1.5, 0.875], [1.0, -0.75]]], "float32"), R.const(0.0, "float32"))
        lv_8 = R.sigmoid(lv_7)
        lv_9 = R.vision.all_class_non_max_suppression(lv_5, lv_8, R.const(2, "int64"), R.const(0.5, "float32"), R.const(0.25, "float32"), output_format="onnx")
        lv_10 = lv_9[0]
        lv_11 = R.nn.gelu_tanh(lv_5)
        lv_12 = R.nn.gelu(lv_11)
        lv_13 = R.wrap_param(lv_12, dtype="float32")
        lv_14 = R.take(lv, R.const([[[[0, 0], [1, 1], [0, 1], [1, 1]], [[0, 0], [0, 1], [0, 1], [0, 0]]]], "int64"), axis=0, mode="fast")
        lv_15 = R.greater_equal(lv_2, lv_14)
        lv_16 = R.greater_equal(lv_2, lv_14)
        lv_17 = R.broadcast_to(R.const(1.25, "float32"), R.shape([1, 4, n2]))
        lv_18 = R.sigmoid(lv_17)
        lv_19 = R.zeros(R.shape([n2]), dtype="float32")
        lv_20 = R.sigmoid(lv_19)
        lv_21 = R.sigmoid(lv_20)
        lv_22 = R.nn.layer_norm(lv_18, lv_20, lv_21, axes=[-1], epsilon=0.01, center=False, scale=True)
        @R.function
        def make(u: R.Tensor((1, 2, 4, 2), dtype="float32")):
            @R.function
            def made(v: R.Tensor((1, 4, n2), dtype="float32")):
                with R.dataflow():
                    lv_23 = R.eye(R.prim_value(n2), 2, 1, dtype="uint8")
                    lv_24 = R.memory.alloc_storage(R.shape([1024]), 0, R.str("global"), R.dtype("uint8"))
                    lv_25 = R.memory.alloc_tensor(lv_24, 0, R.shape([2, 3]), R.dtype("int32"), 0)
                    gv = u
                    gv_1 = lv_17
                    gv_2 = v
                    R.output(gv, gv_1, gv_2)
                lv_26 = R.negative(v)
                return (u, lv_26)
            return made
        lv_27 = make(lv_14)
        lv_28 = R.zeros(R.shape([1, 4, n2]), dtype="float32")
        lv_29 = lv_27(lv_28)
        lv_30 = R.astype(lv_21, dtype="float32")
        lv_31 = R.astype(lv_21, dtype="float32")
        @R.function
        def fn(a0: R.Tensor((1,), dtype="float32"), a1: R.Tensor((), dtype="float32"), a2: R.Tensor((n0, n2), dtype="float16")):
            lv_32 = R.call_tir(cls.sized, (a1,), tir_vars=R.shape([n0]), out_ty=R.Tensor((n0 + 1,), dtype="float32"))
            return (lv_3, lv_1, (lv_21, lv_3))
        lv_33 = R.flatten(lv_18)
        lv_34 = R.take(lv_33, R.const(0, "int64"), axis=0, mode="fast")
        lv_35 = R.full(R.shape([n0, n2]), R.const(0.625, "float16"), dtype="float16")
        lv_36 = fn(R.const([0.5], "float32"), lv_34, lv_35)
        return (lv_31, lv_31, lv_6, lv_2)
