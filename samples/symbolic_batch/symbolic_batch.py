from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class SymbolicBatch:
    @R.function
    def main(x: R.Tensor(("batch", 8), "float32"), w: R.Tensor((8, 4), "float32")) -> R.Tensor(("batch", 4), "float32"):
        batch = T.int64()
        hidden: R.Tensor((batch, 4), "float32") = R.matmul(x, w)
        centred: R.Tensor((batch, 4), "float32") = R.subtract(hidden, R.mean(hidden, axis=0, keepdims=True))
        y: R.Tensor((batch, 4), "float32") = R.nn.softmax(centred)
        return y
