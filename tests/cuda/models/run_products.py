"""Products of 16 bits and of bytes with dynamic sizes: convolutions with borders, rows of matrices, batches."""
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor(("n", 8, 5, 6), "float16"), v: R.Tensor((12, 8, 3, 3), "float16"), b: R.Tensor(("n", 5, 6, 8), "bfloat16"),
             w: R.Tensor((12, 3, 3, 8), "bfloat16"), c: R.Tensor(("n", 5, 6, 8), "int8"), u: R.Tensor((3, 3, 8, 12), "int8"),
             x: R.Tensor((2, "m", 24), "float16"), y: R.Tensor((2, 24, "m"), "float16"), z: R.Tensor(("m", "k"), "int64"), q: R.Tensor(("k", "m"), "int64"),
             r: R.Tensor(("m", "k"), "float16"), s: R.Tensor(("m", "k"), "float16")):
        with R.dataflow():
            channels = R.nn.conv2d(a, v, padding=[1, 1])
            pixels = R.nn.conv2d(b, w, padding=[1, 1], strides=[2, 1], data_layout="NHWC", kernel_layout="OHWI")
            bytes = R.nn.conv2d(c, u, padding=[1, 1], data_layout="NHWC", kernel_layout="HWIO", out_dtype="int32")
            batches = R.nn.gelu(R.matmul(x, y))
            whole = R.matmul(z, q)
            turned = R.matmul(r, R.permute_dims(s))
            R.output(channels, pixels, bytes, batches, whole, turned)
        return (channels, pixels, bytes, batches, whole, turned)
