# Normalisations in steps, as ONNX has them, and rows that data says: one launch for rows, and a grid of elements before it.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, "n", 96), "float32"), h: R.Tensor(("n", 72), "float16"), g: R.Tensor((96,), "float32"), b: R.Tensor((96,), "float32"),
        t: R.Tensor((128, 96), "float32"), i: R.Tensor(("n",), "int8"),
    ):
        with R.dataflow():
            # mean, what is off it, variance, deviation, with one image
            m = R.mean(x, axis=[2], keepdims=True)
            o = R.subtract(x, m)
            v = R.mean(R.multiply(o, o), axis=[2], keepdims=True)
            d = R.divide(R.const(1.0, "float32"), R.sqrt(R.add(v, R.const(0.00001, "float32"))))
            y = R.add(R.multiply(R.multiply(o, d), g), b)
            # in float32, of float16
            w = R.astype(h, "float32")
            hm = R.mean(w, axis=[1], keepdims=True)
            ho = R.subtract(w, hm)
            hv = R.mean(R.multiply(ho, ho), axis=[1], keepdims=True)
            hd = R.rsqrt(R.add(hv, R.const(0.00001, "float32")))
            z = R.astype(R.multiply(ho, hd), "float16")
            # rows of a table, and then their means
            e = R.add(R.take(t, R.abs(R.astype(i, "int32")), axis=0), g)
            em = R.mean(e, axis=[1], keepdims=True)
            q = R.subtract(e, em)
            R.output(y, z, q)
        return y, z, q
