# Operators on quantised values, in integers: products and convolutions with random weights, signed and unsigned
# elements with zero points, additions after them, depthwise windows, pools, tables.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 16, 9, 7), "float32"), r: R.Tensor((20, 36), "float32")):
        with R.dataflow():
            i: R.Tensor((2304,), "int64") = R.arange(0, 2304, 1, dtype="int64")
            made = R.astype(R.subtract(R.floor_mod(R.multiply(i, R.const(37, "int64")), R.const(251, "int64")), R.const(125, "int64")), "int8")
            s = R.const([0.01, 0.02, 0.015, 0.005, 0.01, 0.01, 0.02, 0.03, 0.01, 0.02, 0.015, 0.005, 0.01, 0.01, 0.02, 0.03], "float32")
            z = R.const([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "int8")
            w0 = R.dequantize(R.reshape(made, R.shape([16, 16, 3, 3])), s, z, axis=0)
            w1 = R.dequantize(R.reshape(R.strided_slice(made, axes=[0], begin=[0], end=[256]), R.shape([16, 16, 1, 1])), s, z, axis=0)
            wd = R.dequantize(R.reshape(R.strided_slice(made, axes=[0], begin=[100], end=[244]), R.shape([16, 1, 3, 3])), s, z, axis=0)
            wm = R.dequantize(R.reshape(R.strided_slice(made, axes=[0], begin=[0], end=[324]), R.shape([36, 9])), R.const(0.02, "float32"), R.const(0, "int8"))
            # unsigned, with a border of its zero point
            q0 = R.quantize(x, R.const(0.02, "float32"), R.const(77, "uint8"), out_dtype="uint8")
            x0 = R.dequantize(q0, R.const(0.02, "float32"), R.const(77, "uint8"), out_dtype="float32")
            c0 = R.nn.relu(R.nn.conv2d(x0, w0, padding=(1, 1)))
            q1 = R.quantize(c0, R.const(0.1, "float32"), R.const(-128, "int8"), out_dtype="int8")
            x1 = R.dequantize(q1, R.const(0.1, "float32"), R.const(-128, "int8"), out_dtype="float32")
            d1 = R.nn.conv2d(x1, wd, padding=(1, 1), groups=16)
            q2 = R.quantize(d1, R.const(0.2, "float32"), R.const(3, "int8"), out_dtype="int8")
            x2 = R.dequantize(q2, R.const(0.2, "float32"), R.const(3, "int8"), out_dtype="float32")
            c2 = R.nn.conv2d(x2, w1)
            q3 = R.quantize(c2, R.const(0.4, "float32"), R.const(-5, "int8"), out_dtype="int8")
            x3 = R.dequantize(q3, R.const(0.4, "float32"), R.const(-5, "int8"), out_dtype="float32")
            a3 = R.nn.relu(R.add(x3, x1))  # what a product is added to
            q4 = R.quantize(a3, R.const(0.4, "float32"), R.const(-128, "int8"), out_dtype="int8")
            x4 = R.dequantize(q4, R.const(0.4, "float32"), R.const(-128, "int8"), out_dtype="float32")
            p4 = R.nn.avg_pool2d(R.sigmoid(x4), pool_size=(9, 7))
            q5 = R.quantize(x4, R.const(0.3, "float32"), R.const(-100, "int8"), out_dtype="int8")
            p5 = R.nn.avg_pool2d(R.dequantize(q5, R.const(0.3, "float32"), R.const(-100, "int8"), out_dtype="float32"), pool_size=(3, 2), strides=(2, 2))
            q6 = R.quantize(p5, R.const(0.3, "float32"), R.const(-100, "int8"), out_dtype="int8")
            m0 = R.quantize(r, R.const(0.02, "float32"), R.const(9, "int8"), out_dtype="int8")
            m1 = R.matmul(R.dequantize(m0, R.const(0.02, "float32"), R.const(9, "int8"), out_dtype="float32"), wm)
            m2 = R.quantize(R.tanh(m1), R.const(0.01, "float32"), R.const(0, "int8"), out_dtype="int8")
            R.output(p4, q4, q6, m1, m2)
        return p4, q4, q6, m1, m2
