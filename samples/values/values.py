"""Values whose structure only the run knows: tensors of any rank, and a list that recursion makes."""
from tvm.script import ir as I, relax as R


@I.ir_module
class Values:
    @R.function
    def main(x: R.Tensor(dtype="float32")) -> R.Tensor(dtype="float32"):
        """Scales a tensor of any rank so that its largest magnitude is 1."""
        return R.divide(x, R.max(R.abs(x)))

    @R.function(private=True)
    def levels(x: R.Tensor((8,), "float32"), n: R.Tensor((), "int64")) -> R.Object:
        if R.less(n, R.const(1, "int64")):
            rest: R.Object = R.null_value()
        else:
            smooth = R.multiply(R.add(x, R.flip(x, axis=0)), R.const(0.5, "float32"))
            more = Values.levels(smooth, R.subtract(n, R.const(1, "int64")))
            rest: R.Object = (smooth, more)
        return rest

    @R.function
    def pyramid(x: R.Tensor((8,), "float32"), n: R.Tensor((), "int64")) -> R.Object:
        """x and n smoother ones, each in a pair with those behind it."""
        return (x, Values.levels(x, n))
