# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor(("n0", "n1", "n2"), dtype="float32"), x1: R.Tuple(R.Tensor(("n2", 4, 2, 1), dtype="float16"), R.Tuple(R.Tensor((4, 1), dtype="float32"))), x2: R.Shape([1, 2]), x3: R.Shape([1, 1])):
        n0 = T.int64()
        n1 = T.int64()
        n2 = T.int64()
        lv = x1[0]
        lv_1 = R.atan2(lv, lv)
        lv_2 = R.eye(R.prim_value(n0), 3, 0, dtype="int8")
        lv_3 = R.ones(R.shape([n0, 3]), dtype="bool")
        lv_4 = R.where(lv_3, lv_2, lv_2)
        lv_5 = R.square(lv_4)
        lv_6 = R.flatten(lv_4)
        return (lv_4, lv, lv_3)
