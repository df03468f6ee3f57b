# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def grow(x: T.Buffer((T.int64(3), T.int64(4)), "float64"), y: T.Buffer((T.int64(3), T.int64(4)), "float64")):
        for i0, i1 in T.grid(T.int64(3), T.int64(4)):
            with T.sblock("sum"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                x[v_i0, v_i1] = x[v_i0, v_i1] + y[v_i0, v_i1]

    @T.prim_func(private=True, s_tir=True)
    def grow1(x: T.Buffer((), "float32"), y: T.Buffer((), "float32")):
        with T.sblock("sum"):
            x[()] = x[()] + y[()]

    @R.function
    def part(a0: R.Tensor(("k0", "k1"), dtype="float32"), a1: R.Tensor((), dtype="float32"), a2: R.Tensor((3, 4), dtype="float64")):
        k0 = T.int64()
        k1 = T.int64()
        cls = Module
        lv = (a2,)
        lv_1 = lv[0]
        lv_2 = R.negative(a2)
        lv_3 = R.call_tir_inplace(cls.grow, (lv_2, lv_1), out_ty=R.Tensor((3, 4), dtype="float64"), inplace_indices=[0])
        lv_4 = R.builtin.alloc_tensor(R.shape([k1, 4]), R.dtype("int64"), 0, R.str("global"))
        return lv_4

    @R.function(private=True)
    def part1(a0: R.Tensor(("k2",), dtype="float32"), a1: R.Tensor((), dtype="float32"), a2: R.Tensor((), dtype="bool")):
        k2 = T.int64()
        cls = Module
        lv = R.floor_mod(R.const([-1, -1], "int32"), R.const(2, "int32"))
        lv_1 = R.index_put(a0, (lv,), R.const([-0.625, 1.25], "float32"), accumulate=False)
        lv_2 = R.equal(a1, a1)
        lv_3 = R.match_cast(lv_1, R.Tensor((2,), dtype="float32"))
        lv_4 = R.slice_scatter(lv_3, R.const([0.75], "float32"), 1, 2, 1, axis=0)
        lv_5 = R.abs(a1)
        lv_6 = R.call_tir_inplace(cls.grow1, (lv_5, a1), out_ty=R.Tensor((), dtype="float32"), inplace_indices=[0])
        lv_7 = R.ones(R.shape([3, k2]), dtype="float32")
        lv_8 = cls.part(lv_7, lv_6, R.const([[1.125, 0.625, 0.625, -1.25], [-0.875, -1.25, -1.125, 0.75], [1.25, 0.625, 1.125, -1.0]], "float64"))
        return (lv_7, lv_6, lv_4)

    @R.function
    def main(x0: R.Tensor(("n3", "n4", "n5"), dtype="float32"), x1: R.Tensor((2, "n5", "n3"), dtype="float32"), x2: R.Shape(["n3", 1])):
        n3 = T.int64()
        n4 = T.int64()
        n5 = T.int64()
        lv = R.ewise_fma(x1, x1, x1)
        lv_1 = R.logical_xor(R.const(False, "bool"), R.const(True, "bool"))
        lv_2 = R.sigmoid(R.const([[-1.25, 0.5, 1.0, -0.75], [-0.75, -0.125, 1.5, -0.625], [1.0, 1.125, 0.25, 0.375]], "float16"))
        lv_3 = R.sigmoid(R.const([-1.375, -0.875, -0.625, 1.125], "float16"))
        lv_4 = R.sigmoid(lv_3)
        lv_5 = R.nn.layer_norm(lv_2, lv_3, lv_4, axes=[-1], epsilon=0.01, center=True, scale=False)
        lv_6 = lv
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((2, n5, n3), dtype="float32")) -> R.Tensor((2, n5, n3), dtype="float32"):
            lv_7 = R.greater(i, R.const(0, "int32"))
            if lv_7:
                lv_9 = R.subtract(i, R.const(1, "int32"))
                lv_10 = R.abs(x)
                lv_8 = loop(lv_9, lv_10)
            else:
                lv_8 = x
            return lv_8
        lv_11 = R.flatten(lv)
        lv_12 = R.take(lv_11, R.const(1, "int64"), axis=0, mode="fast")
        lv_13 = R.broadcast_to(lv_12, R.shape([2, n5, n3]))
        lv_14 = loop(R.const(0, "int32"), lv_13)
        lv_15 = R.ceil(lv_11)
        lv_16 = R.ones(R.shape([n4, 3, 1]), dtype="float64")
        lv_17 = R.nn.avg_pool1d(lv_16, pool_size=[2], strides=[2], dilation=[1], padding=[1, 0], ceil_mode=False, count_include_pad=True, layout="NWC", out_layout="NWC")
        @R.function
        def step(v: R.Tensor((2, n5, n3), dtype="float32")) -> R.Tensor((2, n5, n3), dtype="float32"):
            lv_18 = R.abs(v)
            return lv_18
        @R.function
        def apply(f: R.Callable((R.Tensor((2, n5, n3), dtype="float32"),), R.Tensor((2, n5, n3), dtype="float32"), True), v_1: R.Tensor((2, n5, n3), dtype="float32")) -> R.Tensor((2, n5, n3), dtype="float32"):
            lv_19 = f(v_1)
            lv_20 = f(lv_19)
            return lv_20
        lv_21 = apply(step, lv_14)
        lv_22 = R.mean(lv_15, axis=None, keepdims=False)
        lv_23 = R.less(lv_22, R.const(0.25, "float32"))
        if lv_23:
            @R.function
            def fn(a0: R.Tensor((4,), dtype="float16"), a1: R.Tensor((4,), dtype="float16")):
                m6 = T.int64()
                lv_24 = R.match_cast(lv_17, R.Tensor((m6, 2, 1), dtype="float64"))
                lv_25 = R.asinh(lv_24)
                lv_26 = R.asinh(lv_24)
                return (lv_26, x1, (lv_22, lv_26))
            lv_27 = fn(lv_4, lv_4)
            lv_28 = R.logical_xor(lv_23, R.const(True, "bool"))
            lv_29 = lv_16
        else:
            lv_30 = R.nn.cross_entropy_with_logits(lv_2, lv_2)
            lv_29 = lv_16
        lv_31 = R.inspect.tensor_elem_offset(lv_11)
        return lv_21
