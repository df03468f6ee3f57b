# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x0: R.Tensor((), dtype="float32"), x1: T.int64, x2: R.Tensor((), dtype="float16")):
        lv = R.ceil(x0)
        lv_1 = (lv,)
        lv_2 = lv_1[0]
        lv_3 = R.atan2(lv, lv_2)
        lv_4 = R.inspect.tensor_byte_offset(R.const([True, True, True], "bool"))
        lv_5 = (lv_2,)
        lv_6 = lv_5[0]
        lv_7 = lv_5[0]
        return (x1, lv_7, lv_6, lv_4)
