"""A stream of frames: the last four are in the state. `checked` fails for an index out of bounds."""
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(frame: R.Tensor((1, 3), "float32"), window: R.Tensor((4, 3), "float32"), count: R.Tensor((2,), "int8"), started: R.Tensor((), "bool")):
        R.func_attr({"state": [0, 7, 1]})
        with R.dataflow():
            tail = R.strided_slice(window, axes=[0], begin=[1], end=[4])
            next_window = R.concat((tail, frame), axis=0)
            mean = R.mean(next_window, axis=[0])
            scores = R.matmul(mean, R.const([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], "float32"))
            next_count = R.add(count, R.const(1, "int8"))
            R.output(scores, next_window, next_count)
        return (scores, next_window, next_count, started)

    @R.function
    def counted(window: R.Tensor((4, 3), "float32"), count: R.Tensor((2,), "int8"), started: R.Tensor((), "bool")):
        R.func_attr({"state": [0, 7, 1]})
        copy = R.astype(count, "int32")
        return (copy, window, count, started)

    @R.function
    def checked(index: R.Tensor((1,), "int64"), window: R.Tensor((4, 3), "float32"), count: R.Tensor((2,), "int8"), started: R.Tensor((), "bool")):
        R.func_attr({"state": [0, 7, 1]})
        with R.dataflow():
            next_window = R.add(window, R.const(1.0, "float32"))
            next_count = R.subtract(count, count)
            stopped = R.logical_not(started)
            row = R.take(next_window, index, axis=0)
            R.output(next_window, next_count, stopped, row)
        return (row, next_window, next_count, stopped)
