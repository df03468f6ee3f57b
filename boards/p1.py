# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def again(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k4", 2), dtype="float64")) -> R.Tensor(("k4", 2), dtype="float64"):
        k4 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        lv_1 = R.greater(i, R.const(0, "int32"))
        if lv_1:
            lv_3 = R.subtract(i, R.const(1, "int32"))
            lv_4 = R.broadcast_to(R.const(-0.625, "float64"), R.shape([k4, 2]))
            lv_5 = R.add(x, lv_4)
            lv_6 = R.add(x, lv_4)
            lv_2 = cls.again(lv_3, lv_6)
        else:
            lv_2 = x
        return lv_2

    @R.function(private=True)
    def part(a0: R.Shape(["k0"]), a1: R.Tensor((1, 4), dtype="float16")):
        k0 = T.int64()
        m1 = T.int64()
        m2 = T.int64()
        lv = R.not_equal(a1, a1)
        lv_1 = R.ones(R.shape([k0, 1]), dtype="float32")
        lv_2 = R.sigmoid(lv_1)
        lv_3 = R.ones(R.shape([k0, 1]), dtype="int64")
        lv_4 = R.floor_mod(lv_3, R.const(2, "int64"))
        lv_5 = R.multinomial_from_uniform(R.const([[0.25, 0.25, 0.25, 0.25], [0.5, 0.0, 0.25, 0.25]], "float32"), lv_2, lv_4, dtype="int64")
        @R.function
        def loop(i: R.Tensor((), dtype="int32"), x: R.Tensor((k0, 1), dtype="int64")) -> R.Tensor((k0, 1), dtype="int64"):
            lv_6 = R.greater(i, R.const(0, "int32"))
            if lv_6:
                lv_8 = R.subtract(i, R.const(1, "int32"))
                lv_9 = R.negative(x)
                lv_7 = loop(lv_8, lv_9)
            else:
                lv_7 = x
            return lv_7
        lv_10 = loop(R.const(0, "int32"), lv_5)
        lv_11 = R.match_cast(lv_5, R.Tensor(dtype="int64", ndim=2))
        lv_12 = R.negative(lv_11)
        lv_13 = R.match_cast(lv_12, R.Tensor((m1, m2), dtype="int64"))
        lv_14 = R.std(lv_2, axis=None, keepdims=True)
        return (lv_10, a1, lv_10, lv_1)

    @R.function(private=True)
    def part1(a0: R.Shape(["k3"]), a1: R.Tensor(("k3", 3), dtype="float64"), a2: R.Tuple(R.Tensor((2, 1), dtype="float32"), R.Tensor((3, 3, "k3"), dtype="float32"))):
        k3 = T.int64()
        lv = a2[0]
        lv_1 = R.image.resize2d(R.const([[[[-0.125, 0.875], [1.125, 1.125], [0.875, 0.75], [0.375, -1.125]], [[-1.375, 1.0], [0.5, 0.125], [0.25, 0.5], [0.375, 1.375]], [[-0.25, 0.25], [1.125, -0.25], [-0.125, -0.625], [-1.0, 1.125]], [[-0.25, 0.125], [-0.25, 0.75], [-1.125, -1.375], [-0.875, 1.125]]]], "float32"), R.shape([3, 5]), roi=[0.0, 0.0, 0.0, 0.0], layout="NCHW", method="nearest_neighbor", coordinate_transformation_mode="asymmetric", rounding_method="ceil", cubic_alpha=-0.75, cubic_exclude=0, extrapolation_value=0.0, out_dtype=None)
        lv_2 = R.isinf(lv_1)
        lv_3 = R.flatten(lv_1)
        lv_4 = R.flatten(lv_1)
        lv_5 = R.take(lv_4, R.const([[[[36, 29]], [[37, 37]], [[42, 45]], [[40, 57]]]], "int64"), axis=0, mode="fast")
        lv_6 = R.sigmoid(lv_5)
        lv_7 = R.sigmoid(lv_6)
        lv_8 = R.sigmoid(lv_7)
        lv_9 = R.nn.attention_var_len(lv_6, lv_7, lv_8, R.const([0, 1, 4], "int32"), R.const(3, "int32"), R.const([0, 1, 4], "int32"), R.const(3, "int32"), scale=None, causal_mask=None, window_size=None)
        lv_10 = R.split(lv_4, indices_or_sections=[5, 6], axis=-1)
        lv_11 = lv_10[1]
        return (lv_8, lv_11, lv_5)

    @R.function
    def main(x0: R.Tensor(("n5",), dtype="float32"), x1: R.Shape([1, "n5"]), x2: R.Tensor((3, "n5", 3), dtype="float16"), x3: R.Tensor((3, "n5"), dtype="float64")):
        n5 = T.int64()
        lv = R.acos(x2)
        lv_1 = R.acos(x2)
        lv_2 = R.inspect.tensor_dtype_bits(x0)
        lv_3 = R.sort(x2, axis=-2, descending=True)
        lv_4 = R.power(lv_1, lv_3)
        return lv_4
