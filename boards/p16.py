# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor(("n0",), dtype="float32"), x1: R.Tensor(("n0", 2, "n0"), dtype="int64"), x2: R.Tensor((), dtype="float64")):
        n0 = T.int64()
        lv = R.cos(x2)
        lv_1 = R.greater_equal(x2, lv)
        lv_2 = R.shape([])
        lv_3 = R.zeros(lv_2, dtype="float32")
        lv_4 = R.split(x1, indices_or_sections=[1], axis=-2)
        lv_5 = lv_4[0]
        if lv_1:
            lv_6 = lv_1
        else:
            lv_6 = R.const(True, "bool")
        lv_7 = R.meshgrid((R.const([2, -1, 2, -1], "int8"),), indexing="xy")
        lv_8 = lv_7[0]
        @R.function
        def fn(a0: R.Tensor((n0,), dtype="float32"), a1: R.Tensor((n0,), dtype="bool"), a2: R.Tensor((), dtype="uint8")):
            m1 = T.int64()
            lv_9 = R.inspect.tensor_shape_i(lv_8, 0)
            lv_10 = R.index_put(lv_8, (R.const([0, 3], "int64"),), R.const([1, 1], "int8"), accumulate=False)
            with R.dataflow():
                lv_11 = R.variance(a0, axis=[0], keepdims=False)
                lv_12 = R.topk(x1, k=2, axis=1, ret_type="indices", largest=False, dtype="int32")
                lv_13 = (x0, lv_10)
                lv_14 = R.match_cast(lv_13, R.Tuple(R.Tensor((m1,), dtype="float32"), R.Tensor((4,), dtype="int8")))
                lv_15 = lv_14[0]
                lv_16 = R.square(lv_10)
                gv = x0
                R.output(gv)
            return (gv, a1, lv_9)
        lv_17 = R.zeros(R.shape([n0]), dtype="bool")
        lv_18 = fn(x0, lv_17, R.const(1, "uint8"))
        lv_19 = fn(x0, lv_17, R.const(1, "uint8"))
        lv_20 = R.match_cast(x1, R.Tensor((3, 2, 3), dtype="int64"))
        return (lv_18, lv_17, x2)
