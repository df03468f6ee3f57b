# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def again(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k2", 2), dtype="int8")) -> R.Tensor(("k2", 2), dtype="int8"):
        k2 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.subtract(i, R.const(1, "int32"))
            lv_4 = R.full(R.shape([k2, 2]), R.const(-2, "int8"), dtype="int8")
            lv_5 = R.add(x, lv_4)
            lv_1 = cls.again(lv_3, lv_5)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def even(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k3",), dtype="float32")) -> R.Tensor(("k3",), dtype="float32"):
        k3 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.negative(x)
            lv_1 = cls.odd(lv_2, lv_3)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def odd(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k3",), dtype="float32")) -> R.Tensor(("k3",), dtype="float32"):
        k3 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.full(R.shape([k3]), R.const(0.375, "float32"), dtype="float32")
            lv_4 = R.add(x, lv_3)
            lv_1 = cls.even(lv_2, lv_4)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def part(a0: R.Tensor(("k0",), dtype="float32"), a1: R.Tensor((2,), dtype="int8"), a2: R.Tensor(("k0",), dtype="int64")):
        k0 = T.int64()
        m1 = T.int64()
        lv = R.permute_dims(a2, axes=[0])
        lv_1 = R.match_cast(lv, R.Tensor((m1,), dtype="int64"))
        lv_2 = R.inspect.tensor_stride_i(lv_1, 0)
        @R.function
        def step(v: R.Tensor((k0,), dtype="int64")) -> R.Tensor((k0,), dtype="int64"):
            lv_3 = R.abs(v)
            return lv_3
        @R.function
        def apply(f: R.Callable((R.Tensor((k0,), dtype="int64"),), R.Tensor((k0,), dtype="int64"), True), v_1: R.Tensor((k0,), dtype="int64")) -> R.Tensor((k0,), dtype="int64"):
            lv_4 = f(v_1)
            lv_5 = f(lv_4)
            return lv_5
        lv_6 = apply(step, lv)
        return (lv, lv_6, (lv_2, lv))

    @R.function
    def main(x0: R.Tensor(("n4", "n5", "n6"), dtype="float32"), x1: R.Tensor((4, 1, 3), dtype="float32"), x2: R.Tensor((4, "n4"), dtype="int32"), x3: R.Tensor((2, "n4", "n6"), dtype="float64"), x4: R.Tensor((1, 2, "n6", 2), dtype="float32")):
        n4 = T.int64()
        n5 = T.int64()
        n6 = T.int64()
        lv = R.asinh(x3)
        @R.function
        def fn(a0: R.Tensor((2,), dtype="float64")):
            @R.function
            def fn_1(a0_1: R.Tensor((n6,), dtype="float32")):
                lv_1 = R.zeros_like(lv, dtype="float32")
                lv_2 = R.mean(lv_1, axis=None, keepdims=False)
                lv_3 = R.greater(lv_2, R.const(0.0, "float32"))
                if lv_3:
                    lv_4 = R.triu(x0, 0)
                    lv_5 = R.ones(R.shape([n6, n5, 4]), dtype="float64")
                    lv_6 = (lv_5, a0_1)
                else:
                    lv_7 = R.take(a0, R.const(0, "int64"), axis=0, mode="fast")
                    lv_8 = R.broadcast_to(lv_7, R.shape([4, 3, n5]))
                    lv_6 = (lv_8, a0_1)
                return (lv_3, lv_2, a0_1, lv_2)
            lv_9 = R.full(R.shape([n6]), R.const(-1.375, "float32"), dtype="float32")
            lv_10 = fn_1(lv_9)
            lv_11 = fn_1(lv_9)
            lv_12 = R.floor_mod(R.const([0, -2], "int64"), R.const(2, "int64"))
            lv_13 = R.floor_mod(R.const([1, -1], "int64"), R.const(3, "int64"))
            lv_14 = R.index_tensor(lv, (lv_12, lv_13))
            lv_15 = (lv_12, lv, x2)
            lv_16 = lv_15[1]
            return (lv_14, lv_12, x4)
        lv_17 = R.flatten(x3)
        lv_18 = R.take(lv_17, R.const([12, 15], "int64"), axis=0, mode="fast")
        lv_19 = fn(lv_18)
        lv_20 = R.expand_dims(lv_18, axis=[0])
        lv_21 = R.expand_dims(lv_18, axis=[0])
        lv_22 = R.squeeze(lv_21, axis=[-2])
        lv_23 = R.nonzero(x1)
        lv_24 = R.match_cast(lv_23, R.Tensor(dtype="int64", ndim=2))
        lv_25 = R.rsqrt(lv_20)
        lv_26 = R.cosh(lv_22)
        lv_27 = R.argsort(lv_26, axis=-1, descending=True, dtype="int32")
        lv_28 = R.less(lv_25, lv_25)
        lv_29 = R.less(lv_25, lv_25)
        lv_30 = R.sort(lv_21, axis=-2, descending=False)
        lv_31 = R.shape_of(lv_29)
        return (x0, lv_27, lv_28, lv_27)
