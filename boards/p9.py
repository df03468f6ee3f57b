# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def part(a0: R.Tensor((), dtype="float32")):
        lv = R.nn.avg_pool2d(R.const([[[[1.5, 1.25, 0.5], [-1.0, 0.625, 1.0], [-1.125, -1.125, 0.125], [-1.0, -0.5, -0.5], [-1.5, 1.0, -1.25]]]], "float32"), pool_size=[1, 1], strides=[1, 2], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=True, count_include_pad=True, layout="NCHW", out_layout="NCHW")
        lv_1 = R.wrap_param(lv, dtype="float32")
        lv_2 = R.wrap_param(lv, dtype="float32")
        lv_3 = R.sigmoid(R.const([[[[0.5], [1.125]], [[1.125], [1.125]]], [[[0.125], [-0.5]], [[0.625], [-1.25]]], [[[-0.75], [0.625]], [[0.375], [1.375]]]], "float32"))
        lv_4 = R.sigmoid(lv_3)
        lv_5 = R.sigmoid(R.const([[[[-1.5, -1.125], [0.625, -1.25]], [[0.125, -0.375], [0.5, -0.125]]], [[[0.125, -0.75], [-0.625, -1.5]], [[0.0, 1.0], [0.0, 0.375]]], [[[-0.625, 0.75], [0.75, -1.0]], [[-0.25, 1.5], [0.75, 1.0]]]], "float32"))
        lv_6 = R.nn.attention(lv_3, lv_4, lv_5, scale=None, causal_mask=None, window_size=None)
        return (lv_4, lv_3, lv_2, (lv, lv_4))

    @R.function
    def main(x0: R.Tensor(("n0", "n1", "n2"), dtype="float64"), x1: R.Tensor((), dtype="float16"), x2: R.Tensor((2, "n1", 4, 1), dtype="float32"), x3: R.Tensor(("n1", 3), dtype="int8")):
        n0 = T.int64()
        n1 = T.int64()
        n2 = T.int64()
        lv = R.atanh(x1)
        lv_1 = R.atanh(x1)
        lv_2 = R.atanh(x1)
        lv_3 = R.isnan(x1)
        lv_4 = R.isnan(x1)
        @R.function
        def step(v: R.Tensor((), dtype="float16")) -> R.Tensor((), dtype="float16"):
            lv_5 = R.negative(v)
            return lv_5
        @R.function
        def apply(f: R.Callable((R.Tensor((), dtype="float16"),), R.Tensor((), dtype="float16"), True), v_1: R.Tensor((), dtype="float16")) -> R.Tensor((), dtype="float16"):
            lv_6 = f(v_1)
            lv_7 = f(lv_6)
            return lv_7
        lv_8 = apply(step, lv)
        lv_9 = R.mod(lv_2, lv)
        lv_10 = R.null_value()
        lv_11 = R.match_cast(x3, R.Tensor((2, 3), dtype="int8"))
        lv_12 = R.memory.view(lv_11, R.shape([6]), R.tuple(), R.tuple())
        lv_13 = R.memory.view(lv_11, R.shape([6]), R.tuple(), R.tuple())
        lv_14 = R.mean(x0, axis=None, keepdims=False)
        lv_15 = R.greater(lv_14, R.const(0.0, "float64"))
        if lv_15:
            lv_16 = R.inspect.tensor_dtype_bits(lv_12)
            lv_17 = lv_15
        else:
            lv_18 = R.inspect.tensor_dtype_code(x0)
            lv_19 = R.floor_mod(lv, lv_9)
            lv_17 = lv_15
        lv_20 = R.builtin.alloc_tensor(R.shape([2, n0]), R.dtype("int32"), 0, R.str("global"))
        return (lv_13, (x2, lv_13))
