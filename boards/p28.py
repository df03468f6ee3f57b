# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def part(a0: R.Tensor((), dtype="float64"), a1: R.Tuple(R.Tensor((2, 1), dtype="float64"), R.Tensor((), dtype="float32"))):
        lv = a1[0]
        @R.function
        def make(u: R.Tensor((), dtype="float64")):
            @R.function
            def made(v: R.Tensor((), dtype="float64")):
                lv_1 = R.negative(v)
                return (u, lv_1)
            return made
        lv_2 = make(a0)
        lv_3 = lv_2(a0)
        lv_4 = R.inspect.tensor_dtype_bits(lv)
        lv_5 = R.nn.conv1d_transpose(R.const([[[-0.5, 0.25], [-0.25, 0.75], [-1.0, 0.0], [0.75, 0.375]], [[-1.5, 0.125], [0.875, -0.875], [-0.375, -0.5], [1.125, -0.25]], [[1.125, -0.375], [0.375, 1.375], [1.5, 0.625], [1.5, 1.25]]], "float32"), R.const([[[-0.25, -0.5], [-1.125, -0.875]], [[0.25, 1.5], [0.0, -1.5]], [[0.875, 1.125], [1.25, 0.625]], [[0.375, -0.625], [0.5, 0.375]]], "float32"), strides=[2], padding=[1, 0], output_padding=[0], dilation=[1], groups=2, data_layout="NCW", kernel_layout="IOW", out_layout="NCW", out_dtype=None)
        lv_6 = (lv, lv, lv_5)
        lv_7 = lv_6[2]
        return (a0, lv_7)

    @R.function(private=True)
    def part1(a0: R.Tensor(("k0", "k1"), dtype="int32"), a1: R.Tensor(("k1", 3), dtype="float64"), a2: R.Tensor(("k1", "k1", 2), dtype="bool")):
        k0 = T.int64()
        k1 = T.int64()
        cls = Module
        lv = R.flatten(a1)
        lv_1 = R.take(lv, R.const(5, "int64"), axis=0, mode="fast")
        lv_2 = R.flatten(a1)
        lv_3 = R.take(lv_2, R.const([[5], [5]], "int64"), axis=0, mode="fast")
        lv_4 = cls.part(lv_1, (lv_3, R.const(0.375, "float32")))
        lv_5 = R.shape_to_tensor(R.shape([k0, k1]))
        @R.function
        def fn(a0_1: R.Tensor((k1, 4, k1), dtype="float32"), a1_1: R.Tensor((), dtype="float64"), a2_1: R.Tensor((k1, 1), dtype="float32")):
            lv_6 = R.mean(a2_1, axis=None, keepdims=False)
            lv_7 = R.less(lv_6, R.const(0.25, "float32"))
            if lv_7:
                lv_8 = R.shape_to_tensor(R.shape([2, 1]))
                lv_9 = R.tensor_to_shape(lv_8)
                lv_10 = R.match_cast(lv_9, R.Shape([2, 1]))
                lv_11 = R.ones(lv_10, dtype="float32")
                lv_12 = lv_7
                lv_13 = lv_6
            else:
                lv_14 = lv_3
                lv_15 = R.nn.selu(lv_14)
                lv_13 = lv_6
            lv_16 = R.asin(lv_3)
            return (lv_16, a2_1)
        lv_17 = R.broadcast_to(R.const(-0.125, "float32"), R.shape([k1, 4, k1]))
        lv_18 = R.broadcast_to(R.const(-0.875, "float32"), R.shape([k1, 1]))
        lv_19 = fn(lv_17, R.const(-0.625, "float64"), lv_18)
        @R.function
        def step(v: R.Tensor((k1, 1), dtype="float32")) -> R.Tensor((k1, 1), dtype="float32"):
            lv_20 = R.negative(v)
            return lv_20
        @R.function
        def apply(f: R.Callable((R.Tensor((k1, 1), dtype="float32"),), R.Tensor((k1, 1), dtype="float32"), True), v_1: R.Tensor((k1, 1), dtype="float32")) -> R.Tensor((k1, 1), dtype="float32"):
            lv_21 = f(v_1)
            lv_22 = f(lv_21)
            return lv_22
        lv_23 = apply(step, lv_18)
        return lv

    @R.function(pure=False)
    def main(x0: R.Tensor((), dtype="float64"), x1: T.int64, x2: R.Tensor((4, 1, 1, 4), dtype="float32"), x3: T.int64, x4: R.Tensor((3, 3, 3), dtype="float32")):
        lv = R.isfinite(x2)
        lv_1 = R.flatten(x4)
        lv_2 = R.take(lv_1, R.const([[[0, 10, 3, 26, 6, 7], [7, 0, 14, 5, 23, 15], [8, 4, 25, 24, 18, 3]]], "int64"), axis=0, mode="fast")
        lv_3 = R.isfinite(lv_2)
        lv_4 = R.where(lv_3, lv_2, R.const(0.0, "float32"))
        lv_5 = R.sigmoid(lv_4)
        lv_6 = R.vision.get_valid_counts(lv_5, score_threshold=0.5, id_index=0, score_index=1)
        lv_7 = lv_6[1]
        lv_8 = lv_6[0]
        lv_9 = lv_6[2]
        lv_10 = R.vision.non_max_suppression(lv_7, lv_8, lv_9, max_output_size=1, iou_threshold=0.25, force_suppress=False, top_k=2, coord_start=2, score_index=1, id_index=0, return_indices=True, invalid_to_bottom=True, soft_nms_sigma=0.0, score_threshold=0.0)
        lv_11 = lv_10[0]
        lv_12 = R.median(lv_2, axis=[1], keepdims=True)
        lv_13 = R.flatten(lv_3)
        lv_14 = R.take(lv_13, R.const(0, "int64"), axis=0, mode="fast")
        if lv_14:
            lv_15 = lv_11
        else:
            lv_15 = lv_11
        lv_16 = (lv_15, lv_14)
        lv_17 = lv_16[1]
        lv_18 = R.flatten(lv_5)
        lv_19 = R.take(lv_18, R.const([[[12, 12, 4, 11, 11, 17], [16, 12, 7, 8, 14, 12]]], "int64"), axis=0, mode="fast")
        lv_20 = R.isfinite(lv_19)
        lv_21 = R.where(lv_20, lv_19, R.const(0.0, "float32"))
        lv_22 = R.sigmoid(lv_21)
        lv_23 = R.vision.get_valid_counts(lv_22, score_threshold=0.5, id_index=0, score_index=1)
        lv_24 = lv_23[0]
        lv_25 = R.isinf(x2)
        lv_26 = R.unique(lv_21, T.bool(True), T.bool(False), T.bool(False), T.bool(False))
        lv_27 = R.match_cast(lv_26, R.Tensor(dtype="float32", ndim=1))
        with R.dataflow():
            @R.function
            def step(v: R.Tensor((1,), dtype="int32")) -> R.Tensor((1,), dtype="int32"):
                lv_28 = R.add(v, lv_24)
                return lv_28
            @R.function
            def apply(f: R.Callable((R.Tensor((1,), dtype="int32"),), R.Tensor((1,), dtype="int32"), True), v_1: R.Tensor((1,), dtype="int32")) -> R.Tensor((1,), dtype="int32"):
                lv_29 = f(v_1)
                lv_30 = f(lv_29)
                return lv_30
            lv_31 = apply(step, R.const([-1], "int32"))
            lv_32 = R.logical_not(lv_13)
            lv_33 = R.stack((lv_31,), axis=-1)
            lv_34 = R.shape([])
            lv_35 = R.full(lv_34, R.const(-3, "int64"), dtype="float32")
            gv = lv_1
            gv_1 = lv_33
            R.output(gv, gv_1)
        lv_36 = R.inspect.tensor_dtype_lanes(lv_18)
        return (lv_14, gv_1)
