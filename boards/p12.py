# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def part(a0: R.Tensor((2, 4, 2), dtype="int8"), a1: R.Tensor((), dtype="float16"), a2: R.Tensor((3,), dtype="float32")):
        lv = R.nn.cross_entropy_with_logits(a2, a2)
        return (a1, a0, lv, lv)

    @R.function
    def main(x0: R.Tensor(("n0", "n1", "n2"), dtype="float32"), x1: R.Tensor(("n2", 3, "n1"), dtype="int32")):
        n0 = T.int64()
        n1 = T.int64()
        n2 = T.int64()
        cls = Module
        lv = R.flatten(x1)
        lv_1 = R.take(lv, R.const([[[0], [0], [1]]], "int64"), axis=0, mode="fast")
        lv_2 = R.bitwise_or(x1, lv_1)
        lv_3 = R.flatten(x0)
        lv_4 = R.take(lv_3, R.const([[[0, 1, 0, 0], [2, 1, 0, 2], [0, 2, 0, 0]]], "int64"), axis=0, mode="fast")
        lv_5 = R.isfinite(lv_4)
        lv_6 = R.where(lv_5, lv_4, R.const(0.0, "float32"))
        lv_7 = R.sigmoid(lv_6)
        lv_8 = R.flatten(lv_4)
        lv_9 = R.take(lv_8, R.const([[[1, 8, 7], [11, 0, 1]]], "int64"), axis=0, mode="fast")
        lv_10 = R.isfinite(lv_9)
        lv_11 = R.where(lv_10, lv_9, R.const(0.0, "float32"))
        lv_12 = R.sigmoid(lv_11)
        lv_13 = R.vision.all_class_non_max_suppression(lv_7, lv_12, R.const(2, "int64"), R.const(0.5, "float32"), R.const(0.25, "float32"), output_format="onnx")
        lv_14 = lv_13[0]
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((6, 3), dtype="int64")) -> R.Tensor((6, 3), dtype="int64"):
            lv_15 = R.greater(i, R.const(0, "int32"))
            if lv_15:
                lv_17 = R.subtract(i, R.const(1, "int32"))
                lv_18 = R.add(x, lv_14)
                lv_16 = loop(lv_17, lv_18)
            else:
                lv_16 = x
            return lv_16
        lv_19 = loop(R.const(0, "int32"), lv_14)
        lv_20 = R.full(R.shape([4, 2, 3, 2, n0]), R.const(-1.375, "float32"), dtype="float32")
        lv_21 = R.nn.avg_pool3d(lv_20, pool_size=[2, 2, 2], strides=[1, 1, 1], dilation=[1, 1, 1], padding=[1, 0, 0, 0, 0, 1], ceil_mode=False, count_include_pad=False, layout="NDHWC", out_layout="NDHWC")
        lv_22 = cls.part(R.const([[[0, 0], [-2, 2], [2, -1], [-3, -3]], [[-3, -2], [-3, 0], [0, -3], [-2, -2]]], "int8"), R.const(0.875, "float16"), R.const([0.25, 1.5, -0.875], "float32"))
        return (lv_19, lv_5, lv, lv_1)
