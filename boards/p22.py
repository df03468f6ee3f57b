# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def even(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k0",), dtype="float32")) -> R.Tensor(("k0",), dtype="float32"):
        k0 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.ones(R.shape([k0]), dtype="float32")
            lv_4 = R.add(x, lv_3)
            lv_1 = cls.odd(lv_2, lv_4)
        else:
            lv_1 = x
        return lv_1

    @R.function(private=True)
    def odd(i: R.Tensor((), dtype="int32"), x: R.Tensor(("k0",), dtype="float32")) -> R.Tensor(("k0",), dtype="float32"):
        k0 = T.int64()
        cls = Module
        lv = R.greater(i, R.const(0, "int32"))
        if lv:
            lv_2 = R.subtract(i, R.const(1, "int32"))
            lv_3 = R.broadcast_to(R.const(0.0, "float32"), R.shape([k0]))
            lv_4 = R.add(x, lv_3)
            lv_1 = cls.even(lv_2, lv_4)
        else:
            lv_1 = x
        return lv_1

    @R.function
    def main(x0: R.Tensor(("n1", "n2"), dtype="float32"), x1: R.Tensor((), dtype="float32")):
        n1 = T.int64()
        n2 = T.int64()
        lv = R.exp(x1)
        lv_1 = R.zeros(R.shape([n1]), dtype="float16")
        lv_2 = R.sigmoid(lv_1)
        lv_3 = R.sigmoid(lv_1)
        lv_4 = R.nn.rms_norm(lv_2, lv_3, axes=[-1], epsilon=0.01)
        lv_5 = R.zeros(R.shape([n1, n1, 4, 5]), dtype="float32")
        lv_6 = R.zeros(R.shape([n1, n1, 4, 5]), dtype="float32")
        lv_7 = R.nn.max_pool2d(lv_6, pool_size=[2, 2], strides=[1, 2], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=True, layout="NCHW", out_layout="NCHW")
        lv_8 = R.std(x0, axis=None, keepdims=True)
        lv_9 = R.std(x0, axis=None, keepdims=True)
        lv_10 = R.std(x0, axis=None, keepdims=True)
        return lv_5
