from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Mlp:
    @R.function
    def main(
        x: R.Tensor(("batch", 16), "float32"),
        w1: R.Tensor((16, 8), "float32"),
        b1: R.Tensor((8,), "float32"),
        w2: R.Tensor((8, 3), "float32"),
        b2: R.Tensor((3,), "float32"),
    ) -> R.Tensor(("batch", 3), "float32"):
        batch = T.int64()
        with R.dataflow():
            hidden = R.nn.relu(R.add(R.matmul(x, w1), b1))
            logits = R.add(R.matmul(hidden, w2), b2)
            scores: R.Tensor((batch, 3), "float32") = R.nn.softmax(logits, axis=-1)
            R.output(scores)
        return scores
