from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    # Products of matrices that Hopper's own instructions make, where there are enough tiles of them and
    # the layout in memory fits: every order of the factors, epilogues, batches.
    @R.function
    def main(
        x: R.Tensor(("n", "m", 72), "float16"), y: R.Tensor(("n", 72, 136), "float16"), c: R.Tensor((136,), "float16"),
        f: R.Tensor(("n", "m", 88), "bfloat16"), g: R.Tensor(("n", "k", 88), "bfloat16"), h: R.Tensor(("n", "m", "k"), "float32"),
    ):
        with R.dataflow():
            a0 = R.matmul(x, y, out_dtype="float32")
            c1 = R.astype(c, "float32")
            a1 = R.add(a0, c1)
            a2 = R.nn.relu(a1)
            a = R.astype(a2, "float16")
            g1 = R.permute_dims(g, axes=[0, 2, 1])
            b0 = R.matmul(f, g1, out_dtype="float32")
            b = R.add(b0, h)
            R.output(a, b)
        return (a, b)
