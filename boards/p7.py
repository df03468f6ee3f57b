# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def even(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k1",), dtype="int64")) -> R.Tensor(("k1",), dtype="int64"):
        k1 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.abs(x)
            lv_1 = cls.odd(lv_2, lv_3)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def odd(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k1",), dtype="int64")) -> R.Tensor(("k1",), dtype="int64"):
        k1 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.abs(x)
            lv_1 = cls.even(lv_2, lv_3)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def part(a0: R.Tensor(("k0",), dtype="bool"), a1: R.Tensor((), dtype="int64"), a2: R.Tensor(("k0", 3), dtype="float32")):
        k0 = T.int64()
        lv = R.std(a2, axis=[1], keepdims=False)
        lv_1 = R.nn.log_softmax(lv, axis=-1)
        lv_2 = R.nn.dropout(lv_1, rate=0.5)
        lv_3 = lv_2[0]
        lv_4 = R.broadcast_to(R.const(0.75, "float16"), R.shape([k0, 1, 5, 3]))
        lv_5 = R.nn.avg_pool2d(lv_4, pool_size=[2, 1], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=True, layout="NCHW", out_layout="NCHW")
        lv_6 = R.broadcast_to(R.const(-1.5, "float32"), R.shape([3, k0, 2, k0]))
        lv_7 = R.sigmoid(lv_6)
        lv_8 = R.sigmoid(lv_7)
        lv_9 = R.sigmoid(lv_8)
        lv_10 = R.flatten(lv_7)
        lv_11 = R.take(lv_10, R.const(39, "int64"), axis=0, mode="fast")
        lv_12 = R.broadcast_to(lv_11, R.shape([3, 2, k0, k0]))
        lv_13 = R.sigmoid(lv_12)
        lv_14 = R.nn.attention_bias(lv_7, lv_8, lv_9, lv_13, scale=None, causal_mask="BottomRight", window_size=None)
        return (lv_4, lv_10)

    @R.function
    def main(x0: R.Tensor(("n2",), dtype="float64"), x1: R.Tensor((3, 1), dtype="float32"), x2: R.Shape([3, "n2"])):
        n2 = T.int64()
        lv = R.atan(x1)
        lv_1 = R.atan(x1)
        with R.dataflow():
            lv_2 = R.sinh(lv)
            lv_3 = R.sinh(lv)
            lv_4 = R.zeros(R.shape([n2, 3, 2]), dtype="float32")
            lv_5 = R.isfinite(lv_4)
            lv_6 = R.where(lv_5, lv_4, R.const(0.0, "float32"))
            lv_7 = R.where(lv_5, lv_4, R.const(0.0, "float32"))
            lv_8 = R.sigmoid(lv_7)
            lv_9 = R.full(R.shape([n2, 8]), R.const(0.875, "float32"), dtype="float32")
            lv_10 = R.isfinite(lv_9)
            lv_11 = R.where(lv_10, lv_9, R.const(0.0, "float32"))
            lv_12 = R.sigmoid(lv_11)
            lv_13 = R.isfinite(R.const([[[0.125, 0.625, -0.5, -0.5], [-0.875, 1.375, 0.0, 0.625]]], "float32"))
            lv_14 = R.where(lv_13, R.const([[[0.125, 0.625, -0.5, -0.5], [-0.875, 1.375, 0.0, 0.625]]], "float32"), R.const(0.0, "float32"))
            lv_15 = R.sigmoid(lv_14)
            lv_16 = R.vision.multibox_transform_loc(lv_8, lv_12, lv_15, clip=False, threshold=0.25, variances=[0.5, 0.5, 0.25, 0.25], keep_background=False)
            lv_17 = lv_16[1]
            lv_18 = R.log(lv_17)
            gv = lv_15
            R.output(gv)
        lv_19 = R.tanh(x1)
        @R.function
        def add(u: R.Tensor((3, 1), dtype="float32"), v: R.Tensor((3, 1), dtype="float32")):
            lv_20 = R.subtract(u, v)
            return lv_20
        lv_21 = R.make_closure(add, (lv_19,))
        lv_22 = R.invoke_pure_closure(lv_21, (lv,), ty_args=(R.Tensor((3, 1), dtype="float32"),))
        lv_23 = R.ewise_fma(gv, R.const([[[0.0, -0.125, 0.625, -0.75], [0.25, 0.625, -0.75, -0.5]]], "float32"), gv)
        lv_24 = R.nn.softmax(x0, axis=0)
        lv_25 = R.abs(lv_24)
        lv_26 = R.bitwise_or(R.const(0, "int64"), R.const(-3, "int64"))
        return (lv_23, gv, lv_25)
