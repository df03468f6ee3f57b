from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    # A convolution of single pixels is a product of matrices, of bytes too.
    @R.function
    def main(q: R.Tensor(("n", 8, 9, 144), "int8"), v: R.Tensor((72, 1, 1, 144), "int8")):
        with R.dataflow():
            i = R.nn.conv2d(q, v, data_layout="NHWC", kernel_layout="OHWI", out_dtype="int32")
            R.output(i)
        return i
