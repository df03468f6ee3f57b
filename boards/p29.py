# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def part(a0: R.Tensor((), dtype="float32"), a1: R.Tensor((1, 2), dtype="int32"), a2: R.Tuple(R.Tensor((3, 3), dtype="int8"), R.Tensor((2, 4), dtype="int64"))):
        lv = a2[0]
        lv_1 = R.bitwise_xor(lv, lv)
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((1, 2), dtype="int32")) -> R.Tensor((1, 2), dtype="int32"):
            lv_2 = R.greater(i, R.const(0, "int32"))
            if lv_2:
                lv_4 = R.subtract(i, R.const(1, "int32"))
                lv_5 = R.subtract(i, R.const(1, "int32"))
                lv_6 = R.abs(x)
                lv_3 = loop(lv_5, lv_6)
            else:
                lv_3 = x
            return lv_3
        lv_7 = loop(R.const(1, "int32"), a1)
        lv_8 = R.minimum(lv, lv_1)
        lv_9 = R.minimum(lv, lv_1)
        lv_10 = R.broadcast_to(lv_8, R.shape([3, 3]))
        lv_11 = (lv_9, lv_10)
        lv_12 = lv_11[0]
        lv_13 = lv_11[0]
        return (lv, lv_9, lv_12, lv_8)

    @R.function
    def main(x0: R.Tensor((), dtype="float32"), x1: R.Tuple(R.Tensor((4, 4, 4), dtype="float16"), R.Tuple(R.Tensor((3, 1, 2, 4), dtype="int8")))):
        m0 = T.int64()
        lv = x1[0]
        lv_1 = R.isinf(lv)
        with R.dataflow():
            lv_2 = R.topk(lv, k=1, axis=0, ret_type="both", largest=True, dtype="int32")
            lv_3 = lv_2[0]
            lv_4 = R.argsort(lv_3, axis=1, descending=True, dtype="int32")
            lv_5 = R.sigmoid(R.const([[[[1.0, 0.25, 0.0, 0.125], [0.875, -0.25, -0.875, -0.125]], [[1.5, -1.0, -1.125, -1.125], [-0.125, -1.5, -0.5, -1.0]]], [[[0.0, -1.375, 0.75, 1.0], [-0.5, 1.0, 0.625, 0.25]], [[0.0, 0.75, 0.625, -0.375], [1.25, -0.75, 1.0, 1.0]]]], "float16"))
            lv_6 = R.flatten(lv)
            lv_7 = R.take(lv_6, R.const([[[[51, 27, 4, 24], [43, 11, 16, 36]], [[49, 30, 26, 55], [1, 55, 29, 25]], [[59, 9, 47, 8], [33, 8, 14, 32]], [[59, 16, 24, 24], [21, 1, 14, 26]]], [[[15, 54, 38, 36], [34, 61, 18, 23]], [[11, 18, 41, 47], [2, 52, 39, 13]], [[54, 26, 51, 40], [59, 1, 24, 0]], [[4, 12, 59, 20], [34, 4, 19, 18]]]], "int64"), axis=0, mode="fast")
            lv_8 = R.sigmoid(lv_7)
            lv_9 = R.flatten(lv_8)
            lv_10 = R.take(lv_9, R.const([[[[21], [54]], [[4], [5]], [[41], [42]], [[39], [61]]], [[[27], [33]], [[51], [61]], [[1], [45]], [[7], [57]]]], "int64"), axis=0, mode="fast")
            lv_11 = R.sigmoid(lv_10)
            lv_12 = R.nn.attention(lv_5, lv_8, lv_11, scale=0.5, causal_mask=None, window_size=None)
            lv_13 = R.nn.attention(lv_5, lv_8, lv_11, scale=0.5, causal_mask=None, window_size=None)
            gv = lv_13
            R.output(gv)
        lv_14 = R.minimum(gv, gv)
        lv_15 = R.minimum(gv, gv)
        lv_16 = R.nn.avg_pool3d(R.const([[[[[-0.875, 0.0], [1.0, -1.5]], [[0.875, 1.125], [0.625, -0.5]]], [[[-1.125, 0.625], [-1.5, 0.125]], [[-0.875, -0.25], [0.75, 0.0]]]], [[[[-1.0, -1.5], [-1.125, -1.5]], [[0.875, -0.625], [0.375, -1.375]]], [[[1.25, 1.375], [-0.75, 0.0]], [[0.875, -0.375], [-0.625, -0.5]]]], [[[[1.25, -0.75], [1.25, 0.75]], [[-0.625, 1.5], [0.0, 0.5]]], [[[-0.25, -0.375], [1.5, 1.375]], [[-0.875, -0.625], [-0.75, 0.25]]]]], "float32"), pool_size=[1, 1, 2], strides=[1, 1, 1], dilation=[1, 1, 1], padding=[0, 0, 0, 0, 0, 0], ceil_mode=False, count_include_pad=True, layout="NCDHW", out_layout="NCDHW")
        lv_17 = R.nn.avg_pool3d(R.const([[[[[-0.875, 0.0], [1.0, -1.5]], [[0.875, 1.125], [0.625, -0.5]]], [[[-1.125, 0.625], [-1.5, 0.125]], [[-0.875, -0.25], [0.75, 0.0]]]], [[[[-1.0, -1.5], [-1.125, -1.5]], [[0.875, -0.625], [0.375, -1.375]]], [[[1.25, 1.375], [-0.75, 0.0]], [[0.875, -0.375], [-0.625, -0.5]]]], [[[[1.25, -0.75], [1.25, 0.75]], [[-0.625, 1.5], [0.0, 0.5]]], [[[-0.25, -0.375], [1.5, 1.375]], [[-0.875, -0.625], [-0.75, 0.25]]]]], "float32"), pool_size=[1, 1, 2], strides=[1, 1, 1], dilation=[1, 1, 1], padding=[0, 0, 0, 0, 0, 0], ceil_mode=False, count_include_pad=True, layout="NCDHW", out_layout="NCDHW")
        lv_18 = (lv_1, lv)
        lv_19 = R.match_cast(lv_18, R.Tuple(R.Tensor((m0, 4, 4), dtype="bool"), R.Tensor((4, 4, 4), dtype="float16")))
        lv_20 = lv_19[0]
        lv_21 = R.one_hot(R.const(0, "int32"), T.float64(2.0), T.float64(0.0), depth=1, axis=-1)
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((4, 4, 4), dtype="bool")) -> R.Tensor((4, 4, 4), dtype="bool"):
            lv_22 = R.greater(i, R.const(0, "int32"))
            if lv_22:
                lv_24 = R.subtract(i, R.const(1, "int32"))
                lv_25 = R.logical_not(x)
                lv_23 = loop(lv_24, lv_25)
            else:
                lv_23 = x
            return lv_23
        lv_26 = loop(R.const(2, "int32"), lv_1)
        lv_27 = R.nn.cross_entropy_with_logits(lv_21, lv_21)
        lv_28 = R.nn.cross_entropy_with_logits(lv_21, lv_21)
        lv_29 = R.flip(lv_21, axis=-1)
        lv_30 = R.mean(lv_29, axis=None, keepdims=False)
        lv_31 = R.greater(lv_30, R.const(-0.25, "float64"))
        if lv_31:
            lv_33 = R.logical_not(lv_26)
            @R.function
            def add(u: R.Tensor((), dtype="float64"), v: R.Tensor((), dtype="float64")):
                lv_34 = R.subtract(u, v)
                return lv_34
            lv_35 = R.make_closure(add, (lv_28,))
            lv_32 = R.invoke_pure_closure(lv_35, (lv_30,), ty_args=(R.Tensor((), dtype="float64"),))
        else:
            lv_32 = lv_30
        return (lv_27, lv_16, (lv_27, lv_27))
