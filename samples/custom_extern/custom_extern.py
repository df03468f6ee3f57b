from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class CustomExtern:
    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Tensor((2,), "float32")):
        n = T.int64()
        scaled: R.Tensor((n,), "float32") = R.multiply(x, R.const(10, "float32"))
        # Destination-passing: the function writes into a tensor whose place is planned.
        smooth = R.call_dps_packed("sensor.smooth", (scaled, R.prim_value(T.float64(0.25))), out_sinfo=R.Tensor((n,), "float32"))
        # A function that makes its result itself.
        range: R.Tensor((2,), "float32") = R.call_pure_packed("sensor.range", smooth, sinfo_args=(R.Tensor((2,), "float32"),))
        return (R.add(smooth, smooth), range)
