# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(a2: T.handle, out: T.handle):
        T.func_attr({"operator_name": "kernel"})
        k0 = T.int64()
        a2_1 = T.match_buffer(a2, (T.int64(1), k0), "float64")
        out_1 = T.match_buffer(out, (k0, T.int64(1)), "float64")
        for i0, i1 in T.grid(k0, T.int64(1)):
            with T.sblock("out"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                out_1[v_i0, v_i1] = a2_1[v_i1, v_i0]

    @R.function(private=True)
    def part(a0: R.Tensor(("k0",), dtype="int64"), a1: R.Tensor((4, 4, 2), dtype="float32"), a2: R.Tensor((1, "k0"), dtype="float64")):
        k0 = T.int64()
        cls = Module
        lv = R.argmin(a2, axis=-1, keepdims=False)
        lv_1 = R.call_tir(cls.kernel, (a2,), out_ty=R.Tensor((k0, 1), dtype="float64"))
        lv_2 = R.nn.selu(lv_1)
        return (lv_2, (lv_2, lv_2))

    @R.function
    def main(x0: R.Tensor(("n1",), dtype="float32"), x1: R.Tensor(("n1", 2, 2), dtype="bool"), x2: R.Tensor((4, "n1", 2, 2), dtype="float32")):
        n1 = T.int64()
        m2 = T.int64()
        lv = R.equal(x0, R.const(1.125, "float32"))
        lv_1 = R.unique(x0, T.bool(True), T.bool(False), T.bool(False), T.bool(False))
        lv_2 = R.match_cast(lv_1, R.Tensor(dtype="float32", ndim=1))
        lv_3 = R.shape_to_tensor(R.shape([4]))
        lv_4 = R.shape_to_tensor(R.shape([4]))
        lv_5 = R.tensor_to_shape(lv_4)
        lv_6 = R.tensor_to_shape(lv_4)
        lv_7 = R.match_cast(lv_6, R.Shape([4]))
        lv_8 = R.ones(lv_7, dtype="float32")
        lv_9 = R.take(x0, R.const(0, "int64"), axis=0, mode="fast")
        lv_10 = R.broadcast_to(lv_9, R.shape([4, n1, 2, 2]))
        lv_11 = R.subtract(x2, lv_10)
        lv_12 = R.match_cast(lv_4, R.Tensor(dtype="int64", ndim=1))
        lv_13 = R.negative(lv_12)
        lv_14 = R.match_cast(lv_13, R.Tensor((m2,), dtype="int64"))
        lv_15 = R.cos(lv_11)
        lv_16 = R.bucketize(lv_8, R.const([0.0, 1.0, 2.0], "float32"), out_int32=False, right=True)
        lv_17 = R.tanh(lv_15)
        return (lv_2, lv_5)
