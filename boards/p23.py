# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def part(a0: R.Tensor(("k0", "k1"), dtype="int8"), a1: R.Tensor(("k0", "k0"), dtype="float32"), a2: R.Tensor((2, "k1", 2), dtype="int64")):
        k0 = T.int64()
        k1 = T.int64()
        lv = R.broadcast_to(R.const(1.0, "float16"), R.shape([1, k0]))
        lv_1 = R.sigmoid(lv)
        lv_2 = R.sigmoid(lv_1)
        lv_3 = R.full(R.shape([1, k0]), R.const(-0.375, "float16"), dtype="float16")
        lv_4 = R.sigmoid(lv_3)
        lv_5 = R.sigmoid(lv_3)
        lv_6 = R.nn.layer_norm(lv_1, lv_2, lv_5, axes=[-2, -1], epsilon=0.01, center=True, scale=True)
        lv_7 = R.less(lv_4, lv_3)
        lv_8 = R.null_value()
        @R.function
        def make(u: R.Tensor((1, k0), dtype="float16")):
            @R.function
            def made(v: R.Tensor((1, k0), dtype="float16")):
                lv_9 = R.negative(v)
                return (u, lv_9)
            return made
        lv_10 = make(lv_3)
        lv_11 = lv_10(lv_3)
        @R.function
        def add(u_1: R.Tensor((1, k0), dtype="float16"), v_1: R.Tensor((1, k0), dtype="float16")):
            lv_12 = R.subtract(u_1, v_1)
            return lv_12
        lv_13 = R.make_closure(add, (lv_5,))
        lv_14 = R.invoke_pure_closure(lv_13, (lv_2,), ty_args=(R.Tensor((1, k0), dtype="float16"),))
        return (lv_3, lv_6, a0)

    @R.function
    def main(x0: R.Tensor((), dtype="float32"), x1: R.Tensor((), dtype="float32"), x2: T.int64, x3: R.Tensor((4,), dtype="float32"), x4: R.Tensor((2, 4, 1), dtype="float16")):
        lv = R.floor(x4)
        lv_1 = R.take(x3, R.const([[[[3, 3, 1, 1], [3, 2, 3, 2], [3, 0, 3, 0], [1, 3, 3, 0]]], [[[0, 3, 2, 3], [0, 2, 2, 2], [2, 0, 1, 2], [1, 1, 0, 1]]], [[[0, 1, 1, 2], [1, 3, 3, 2], [3, 3, 2, 2], [2, 1, 2, 0]]], [[[1, 0, 0, 3], [2, 2, 0, 0], [3, 2, 3, 1], [3, 2, 2, 1]]]], "int64"), axis=0, mode="fast")
        lv_2 = R.image.resize2d(lv_1, R.shape([2, 1]), roi=[0.0, 0.0, 0.0, 0.0], layout="NCHW", method="nearest_neighbor", coordinate_transformation_mode="asymmetric", rounding_method="ceil", cubic_alpha=-0.75, cubic_exclude=0, extrapolation_value=0.0, out_dtype=None)
        lv_3 = lv
        with R.dataflow():
            lv_4 = R.rsqrt(x3)
            lv_5 = R.acos(lv_4)
            lv_6 = R.take(lv_4, R.const([[3], [3], [2], [2]], "int64"), axis=0, mode="fast")
            lv_7 = R.floor_mod(R.const([2, 2, -2, 1], "int32"), R.const(1, "int32"))
            lv_8 = R.floor_mod(R.const([2, 2, -2, 1], "int32"), R.const(1, "int32"))
            lv_9 = R.nn.nll_loss(lv_6, lv_8, reduction="mean", ignore_index=1)
            lv_10 = R.grad.nll_loss_backward(lv_9, lv_6, lv_8, reduction="mean", ignore_index=1)
            lv_11 = R.acos(lv_9)
            lv_12 = R.nn.batch_flatten(lv_10)
            lv_13 = R.nn.batch_flatten(lv_10)
            gv = lv_8
            gv_1 = lv_1
            gv_2 = lv_1
            R.output(gv, gv_1, gv_2)
        lv_14 = R.reverse_sequence(lv_3, R.const([0, 0, 0, 1], "int32"), seq_axis=0, batch_axis=1)
        return (lv_3, x2, x1, (gv, lv_3))
