# Elements under a byte: written in pairs, fours and eights that fill whole bytes, in rows, and alone.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", "m"), "float32"),
        y: R.Tensor(("n", "m"), "int4"),
        z: R.Tensor(("n", 6), "uint4"),
        w: R.Tensor((7, "m"), "float4_e2m1fn"),
        v: R.Tensor(("n", "m"), "float6_e3m2fn"),
        u: R.Tensor(("n", "m"), "int1"),
    ):
        as_int4 = R.astype(x, "int4")
        as_float4 = R.astype(x, "float4_e2m1fn")
        as_float6 = R.astype(x, "float6_e2m3fn")
        both = R.add(y, as_int4)
        turned = R.permute_dims(y)
        rows = R.sum(y, axis=1)
        joined = R.concat((z, z), axis=1)
        some = R.strided_slice(z, axes=[1], begin=[1], end=[4])
        taken = R.take(z, R.const([5, 0, 1], "int64"), axis=1)
        so_far = R.cumsum(y, axis=0)
        ordered = R.sort(y, axis=-1)
        wide = R.matmul(R.astype(w, "float32"), R.astype(turned, "float32"))
        soft = R.nn.relu(v)
        bits = R.multiply(u, u)
        spread = R.broadcast_to(R.const(3, "int4"), (3, 5))
        return (as_int4, as_float4, as_float6, both, turned, rows, joined, some, taken, so_far, ordered, wide, soft, bits, spread)
