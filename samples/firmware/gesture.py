from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Gesture:
    # Is what carries the sensor still, tilted or shaken? The weights were chosen by hand.
    @R.function
    def main(features: R.Tensor((6,), "float32")) -> R.Tensor((3,), "float32"):
        with R.dataflow():
            weights = R.const(
                [
                    [0.0, 6.0, 0.0],
                    [0.0, 6.0, 0.0],
                    [4.0, -4.0, 0.0],
                    [-6.0, -4.0, 5.0],
                    [-6.0, -4.0, 5.0],
                    [-6.0, -4.0, 5.0],
                ],
                "float32",
            )
            logits = R.add(R.matmul(features, weights), R.const([-1.0, 3.0, 0.0], "float32"))
            scores = R.nn.softmax(logits, axis=-1)
            R.output(scores)
        return scores
