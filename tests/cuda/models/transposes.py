# What is read along another axis than it is written.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", "m"), "float32"),
        h: R.Tensor((3, 70, 33), "float16"),
        q: R.Tensor((2, 20, 4, 64), "float32"),
        c: R.Tensor((1, 3, 40, 50), "uint8"),
        i: R.Tensor((100, "m"), "int64"),
        b: R.Tensor(("m", "n"), "float32"),
    ):
        turned = R.permute_dims(x)
        inner = R.nn.relu(R.permute_dims(h, axes=[0, 2, 1]))
        heads = R.permute_dims(q, axes=[0, 2, 3, 1])
        pixels = R.permute_dims(c, axes=[0, 2, 3, 1])
        wide = R.permute_dims(i)
        added = R.add(R.permute_dims(x), b)
        return turned, inner, heads, pixels, wide, added
