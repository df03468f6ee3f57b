# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor((), dtype="float64"), x1: T.int64, x2: R.Tensor((3, 4), dtype="uint8")):
        lv = R.astype(x0, dtype="float64")
        lv_1 = R.sigmoid(R.const([[[[-1.375, 1.25, 0.375]], [[-1.125, 1.125, 0.25]], [[-0.375, 1.5, 0.875]], [[0.125, -1.125, 0.5]]]], "float32"))
        lv_2 = R.sigmoid(R.const([[[[0.125, 0.625, 0.25]], [[-1.0, 0.25, 0.75]], [[-1.0, -0.125, -1.375]], [[1.375, -1.5, 1.5]]]], "float32"))
        lv_3 = R.sigmoid(R.const([[[[0.125, 0.625, 0.25]], [[-1.0, 0.25, 0.75]], [[-1.0, -0.125, -1.375]], [[1.375, -1.5, 1.5]]]], "float32"))
        lv_4 = R.sigmoid(R.const([[[[0.25, -0.5, 1.25]], [[0.75, 0.875, 0.0]], [[0.875, -1.5, 0.0]], [[-0.25, -0.125, -0.375]]]], "float32"))
        lv_5 = R.nn.attention_var_len(lv_1, lv_3, lv_4, R.const([0, 1, 4], "int32"), R.const(3, "int32"), R.const([0, 1, 4], "int32"), R.const(3, "int32"), scale=None, causal_mask=None, window_size=None)
        lv_6 = R.inspect.tensor_shape_i(lv_4, 3)
        lv_7 = R.shape_of(lv_4)
        lv_8 = R.memory.alloc_storage(R.shape([1024]), 0, R.str("global"), R.dtype("uint8"))
        lv_9 = R.memory.alloc_tensor(lv_8, 0, R.shape([1, 1]), R.dtype("int32"), 0)
        @R.function
        def fn(a0: R.Tuple(R.Tensor((), dtype="float16"), R.Tensor((), dtype="bool"))):
            lv_10 = a0[0]
            lv_11 = R.eye_like(lv_9, -1, dtype=None)
            @R.function
            def step(v: R.Tensor((1, 1), dtype="int32")) -> R.Tensor((1, 1), dtype="int32"):
                lv_12 = R.abs(v)
                return lv_12
            @R.function
            def apply(f: R.Callable((R.Tensor((1, 1), dtype="int32"),), R.Tensor((1, 1), dtype="int32"), True), v_1: R.Tensor((1, 1), dtype="int32")) -> R.Tensor((1, 1), dtype="int32"):
                lv_13 = f(v_1)
                lv_14 = f(lv_13)
                return lv_14
            lv_15 = apply(step, lv_9)
            return (lv_5, lv_7, (lv_7, lv_5))
        lv_16 = fn((R.const(1.25, "float16"), R.const(False, "bool")))
        lv_17 = fn((R.const(-1.125, "float16"), R.const(False, "bool")))
        lv_18 = R.flip(lv_9, axis=0)
        return (lv_5, lv_3, lv_18, (lv_7, lv_5))
