# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def part(a0: R.Tensor((3, 2), dtype="float32")):
        lv = (a0, a0)
        lv_1 = lv[1]
        return (lv, lv_1, lv_1, (lv_1, lv))

    @R.function(private=True)
    def part1(a0: R.Tensor(("k0",), dtype="float16"), a1: R.Tensor((3, "k0", 1), dtype="float32")):
        k0 = T.int64()
        @R.function
        def add(u: R.Tensor((k0,), dtype="float16"), v: R.Tensor((k0,), dtype="float16")):
            lv = R.subtract(u, v)
            return lv
        lv_1 = R.make_closure(add, (a0,))
        lv_2 = R.invoke_pure_closure(lv_1, (a0,), ty_args=(R.Tensor((k0,), dtype="float16"),))
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((k0,), dtype="float16")) -> R.Tensor((k0,), dtype="float16"):
            lv_3 = R.greater(i, R.const(0, "int32"))
            lv_4 = R.greater(i, R.const(0, "int32"))
            if lv_4:
                lv_6 = R.subtract(i, R.const(1, "int32"))
                lv_7 = R.negative(x)
                lv_8 = R.negative(x)
                lv_5 = loop(lv_6, lv_8)
            else:
                lv_5 = x
            return lv_5
        lv_9 = loop(R.const(3, "int32"), lv_2)
        lv_10 = R.quantize(a1, R.const(0.5, "float32"), R.const(0, "int8"), out_dtype="uint8", axis=-1)
        return (lv_2, lv_9, lv_9, lv_10)

    @R.function
    def main(x0: R.Tensor(("n1", "n2"), dtype="float32"), x1: R.Tensor((1, "n1"), dtype="float16"), x2: R.Tensor(("n2", 4), dtype="int8"), x3: R.Tensor((1, 2, "n2"), dtype="float32")):
        n1 = T.int64()
        n2 = T.int64()
        lv = R.asin(x3)
        @R.function
        def make(u: R.Tensor((1, 2, n2), dtype="float32")):
            @R.function
            def made(v: R.Tensor((1, 2, n2), dtype="float32")):
                lv_1 = R.hamming_window(4, 1, T.float32(0.54), T.float32(0.46), dtype="float32")
                lv_2 = R.abs(v)
                return (u, lv_2)
            return made
        lv_3 = make(x3)
        lv_4 = lv_3(lv)
        lv_5 = R.bitwise_not(x2)
        lv_6 = R.broadcast_to(R.const(-1.375, "float32"), R.shape([n1, 1, 1, 3, 2]))
        lv_7 = R.nn.adaptive_avg_pool3d(lv_6, output_size=[2, 1, 1], layout="NCDHW", out_layout="NCDHW")
        lv_8 = R.floor_mod(R.const([0], "int32"), R.const(5, "int32"))
        lv_9 = R.take(x3, lv_8, axis=2, mode="clip")
        lv_10 = R.cosh(lv)
        lv_11 = R.builtin.stop_lift_params(lv_9)
        @R.function
        def fn(a0: R.Tensor((n1, n1), dtype="float32"), a1: R.Tensor((4,), dtype="float32")):
            lv_12 = R.quantize(x3, R.const(0.125, "float32"), R.const(0, "int8"), out_dtype="int8", axis=-1)
            lv_13 = R.exp(a1)
            lv_14 = R.log_add_exp(x0, x0)
            return a0
        lv_15 = R.logical_not(R.const(True, "bool"))
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((1, 2, n2), dtype="float32")) -> R.Tensor((1, 2, n2), dtype="float32"):
            lv_16 = R.greater(i, R.const(0, "int32"))
            if lv_16:
                lv_18 = R.subtract(i, R.const(1, "int32"))
                lv_19 = R.abs(x)
                lv_20 = R.abs(x)
                lv_17 = loop(lv_18, lv_20)
            else:
                lv_17 = x
            return lv_17
        lv_21 = loop(R.const(3, "int32"), x3)
        lv_22 = R.mean(lv_11, axis=[0], keepdims=False)
        return (lv_22, lv_8)
