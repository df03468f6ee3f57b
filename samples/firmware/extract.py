from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Extract:
    # The mean and the energy of a window of accelerations along each of three axes, in g.
    @R.function
    def main(window: R.Tensor((16, 3), "float32")) -> R.Tensor((6,), "float32"):
        with R.dataflow():
            mean = R.mean(window, axis=[0])
            off = R.subtract(window, mean)
            energy = R.mean(R.multiply(off, off), axis=[0])
            features = R.concat((mean, energy), axis=0)
            R.output(features)
        return features
