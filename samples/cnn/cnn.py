from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Cnn:
    @R.function
    def main(image: R.Tensor((1, 1, 12, 12), "float32")) -> R.Tensor((1, 3), "float32"):
        with R.dataflow():
            # Four edge detectors, as constants of the program.
            edges = R.nn.conv2d(
                image,
                R.const(
                    [
                        [[[-1.0, -2.0, -1.0], [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]]],
                        [[[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]],
                        [[[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]]],
                        [[[2.0, 1.0, 0.0], [1.0, 0.0, -1.0], [0.0, -1.0, -2.0]]],
                    ],
                    "float32",
                ),
                padding=[1, 1],
            )
            strong = R.nn.relu(R.add(edges, R.const([[[[-0.5]], [[-0.5]], [[-0.25]], [[-0.25]]]], "float32")))
            small = R.nn.max_pool2d(strong, pool_size=[2, 2], strides=[2, 2])
            # Each detector's answer is smoothed alone, then they are weighed into three classes.
            smooth = R.nn.conv2d(
                small,
                R.const(
                    [
                        [[[0.0, 0.125, 0.0], [0.125, 0.5, 0.125], [0.0, 0.125, 0.0]]],
                        [[[0.0, 0.125, 0.0], [0.125, 0.5, 0.125], [0.0, 0.125, 0.0]]],
                        [[[0.0625, 0.125, 0.0625], [0.125, 0.25, 0.125], [0.0625, 0.125, 0.0625]]],
                        [[[0.0625, 0.125, 0.0625], [0.125, 0.25, 0.125], [0.0625, 0.125, 0.0625]]],
                    ],
                    "float32",
                ),
                padding=[1, 1],
                groups=4,
            )
            classes = R.nn.conv2d(
                smooth,
                R.const(
                    [
                        [[[1.0]], [[-0.5]], [[0.0]], [[0.0]]],
                        [[[-0.5]], [[1.0]], [[0.0]], [[0.0]]],
                        [[[0.0]], [[0.0]], [[0.75]], [[0.75]]],
                    ],
                    "float32",
                ),
            )
            scores = R.nn.softmax(R.mean(classes, axis=[2, 3]), axis=-1)
            R.output(scores)
        return scores
