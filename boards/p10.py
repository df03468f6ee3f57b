# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def part(a0: R.Tensor(("k0",), dtype="float16"), a1: R.Tensor((), dtype="float64")):
        k0 = T.int64()
        lv = R.hint_on_device(a0, dst_vdevice=R.device(device_type=1, index=0), memory_scope="global")
        lv_1 = R.median(lv, axis=[0], keepdims=False)
        lv_2 = R.broadcast_to(R.const(True, "bool"), R.shape([k0]))
        lv_3 = R.where(lv_2, a0, lv)
        return (lv_2, lv_2)

    @R.function
    def part1(a0: R.Tensor((1, 3), dtype="int32"), a1: R.Tensor((4, 2), dtype="float32"), a2: R.Tensor((4, 1, 3), dtype="float32")):
        cls = Module
        @R.function
        def fn(a0_1: R.Tensor((1, 4), dtype="float64")):
            lv = R.nn.avg_pool2d(R.const([[[[1.375, -1.0, 0.5, -0.5], [-1.25, -0.375, 0.5, -1.125], [0.125, 0.0, 0.625, -0.625], [1.25, -0.5, -0.25, -0.875]]], [[[-0.25, -0.375, -0.5, 0.5], [0.75, -1.0, -1.25, 1.0], [-1.5, 0.875, 1.0, -1.125], [0.375, 1.25, 1.0, 0.375]]]], "float64"), pool_size=[1, 2], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=True, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            lv_1 = R.grad.avg_pool2d_backward(lv, R.const([[[[1.375, -1.0, 0.5, -0.5], [-1.25, -0.375, 0.5, -1.125], [0.125, 0.0, 0.625, -0.625], [1.25, -0.5, -0.25, -0.875]]], [[[-0.25, -0.375, -0.5, 0.5], [0.75, -1.0, -1.25, 1.0], [-1.5, 0.875, 1.0, -1.125], [0.375, 1.25, 1.0, 0.375]]]], "float64"), pool_size=[1, 2], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=True, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            lv_2 = R.clip(lv_1, T.float64(0.0), T.float64(2.0))
            lv_3 = R.negative(lv_2)
            return (lv_3, lv_3, lv_3, (a0, lv_3))
        lv_4 = cls.part(R.const([-1.5], "float16"), R.const(-1.5, "float64"))
        lv_5 = R.floor(a2)
        return lv_5

    @R.function
    def main(x0: R.Tensor(("n1",), dtype="float32"), x1: R.Shape(["n1", 2]), x2: R.Tensor((), dtype="float32"), x3: R.Tensor(("n1", "n1", "n1"), dtype="float32")):
        n1 = T.int64()
        lv = R.bitwise_and(R.const([[False, True, True], [True, False, True]], "bool"), R.const([[False, False, True], [False, True, True]], "bool"))
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((2, 3), dtype="bool")) -> R.Tensor((2, 3), dtype="bool"):
            lv_1 = R.greater(i, R.const(0, "int32"))
            if lv_1:
                lv_3 = R.subtract(i, R.const(1, "int32"))
                lv_4 = R.logical_not(x)
                lv_2 = loop(lv_3, lv_4)
            else:
                lv_2 = x
            return lv_2
        lv_5 = loop(R.const(1, "int32"), lv)
        lv_6 = R.shape_to_tensor(R.shape([n1, 3]))
        lv_7 = R.shape_to_tensor(R.shape([n1, 3]))
        lv_8 = R.nn.conv1d(R.const([[[0.625], [1.25], [0.375]]], "float16"), R.const([[[-0.25]], [[0.375]]], "float16"), strides=[2], padding=[1, 0], dilation=[2], groups=1, data_layout="NWC", kernel_layout="OIW", out_layout="NWC", out_dtype=None)
        lv_9 = R.right_shift(lv_7, R.const(6, "int64"))
        lv_10 = R.flatten(x3)
        lv_11 = R.take(lv_10, R.const([[0, 0, 0], [0, 0, 0], [0, 0, 0]], "int64"), axis=0, mode="fast")
        lv_12 = R.take(lv_10, R.const([0, 0, 0], "int64"), axis=0, mode="fast")
        lv_13 = R.nn.nll_loss(lv_11, R.const([0, 1, 0], "int32"), lv_12, reduction="sum", ignore_index=-100)
        lv_14 = R.grad.nll_loss_backward(lv_13, lv_11, R.const([0, 1, 0], "int32"), lv_12, reduction="sum", ignore_index=-100)
        lv_15 = R.hamming_window(6, 0, T.float32(0.54), T.float32(0.46), dtype="float32")
        return (lv, (lv_8, lv))
