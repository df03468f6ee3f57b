from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Alarm:
    @R.function
    def main(signal: R.Tensor((16,), "float32")) -> R.Tensor((), "bool"):
        with R.dataflow():
            mean = R.mean(signal)
            spread = R.sqrt(R.mean(R.multiply(R.subtract(signal, mean), R.subtract(signal, mean))))
            last = R.strided_slice(signal, axes=[0], begin=[15], end=[16])
            far = R.greater(R.abs(R.subtract(R.squeeze(last), mean)), R.multiply(spread, R.const(2.0, "float32")))
            R.output(far)
        return far
