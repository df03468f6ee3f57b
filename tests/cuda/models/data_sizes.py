# Outputs of data-dependent size: the caller provides memory, and the run reports the sizes.
from tvm.script import ir as I, relax as R


@I.ir_module
class DataSizes:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        each = R.unique(x)
        twice = R.add(each, each)
        places = R.nonzero(R.greater(x, R.mean(x)))
        return (twice, places, R.sum(x))
