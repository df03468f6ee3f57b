# Calls that return tensors of data-dependent size, from any depth: one and several, of whole bytes or packed.
from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((7,), "float32"), b: R.Tensor((3,), "int4")):
        k = R.strided_slice(R.abs(R.astype(b, "int64")), [0], [0], [1])
        deep = Module.deeper(x, R.sum(k))
        two = Module.both(R.negative(x), R.sum(k))
        first: R.Tensor(ndim=1, dtype="float32") = R.add(two[0], two[0])
        return (deep, first, two[1])

    @R.function(private=True)
    def deeper(x: R.Tensor(dtype="float32"), k: R.Tensor((), "int64")) -> R.Tensor(ndim=1, dtype="float32"):
        if R.greater(k, R.const(0, "int64")):
            inner: R.Tensor(ndim=1, dtype="float32") = Module.deeper(R.negative(x), R.subtract(k, R.const(1, "int64")))
            r: R.Tensor(ndim=1, dtype="float32") = R.concat((inner, R.unique(x)))
        else:
            r: R.Tensor(ndim=1, dtype="float32") = R.unique(x)
        return r

    @R.function(private=True)
    def both(x: R.Tensor(dtype="float32"), k: R.Tensor((), "int64")) -> R.Tuple(R.Tensor(ndim=1, dtype="float32"), R.Tensor(ndim=1, dtype="int4")):
        if R.greater(k, R.const(0, "int64")):
            inner: R.Tuple(R.Tensor(ndim=1, dtype="float32"), R.Tensor(ndim=1, dtype="int4")) = Module.both(R.add(x, x), R.subtract(k, R.const(1, "int64")))
            found = R.unique(x)
            r: R.Tuple(R.Tensor(ndim=1, dtype="float32"), R.Tensor(ndim=1, dtype="int4")) = (R.concat((inner[0], found)), R.concat((R.astype(found, "int4"), inner[1], inner[1])))
        else:
            last = R.unique(x)
            r: R.Tuple(R.Tensor(ndim=1, dtype="float32"), R.Tensor(ndim=1, dtype="int4")) = (last, R.astype(last, "int4"))
        return r
