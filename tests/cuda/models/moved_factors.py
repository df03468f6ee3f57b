from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # Factors that are transposed first: products read the untransposed ones, except for batches that are contiguous
    # and for transposed factors with other uses.
    @R.function
    def main(
        a: R.Tensor(("n", 40), "float32"), b: R.Tensor((24, 40), "float32"), v: R.Tensor((3, 48), "float32"), w: R.Tensor(("m", 48), "float32"),
        q: R.Tensor((2, "n", 3, 16), "float16"), k: R.Tensor((2, "m", 3, 16), "float16"), s: R.Tensor((40, "n", 12), "float32"),
        i: R.Tensor((24, "n"), "int8"), j: R.Tensor(("n", 16), "int32"),
    ):
        n, m = T.int64(), T.int64()
        with R.dataflow():
            x = R.matmul(a, R.permute_dims(b))
            both = R.permute_dims(a)
            y = R.matmul(both, a, out_dtype="float64")
            z = R.matmul(R.multiply(b, b), both)
            scores = R.matmul(R.permute_dims(q, [0, 2, 1, 3]), R.permute_dims(k, [0, 2, 3, 1]))
            batches = R.matmul(R.permute_dims(s, [2, 1, 0]), R.permute_dims(s, [2, 0, 1]))
            few = R.matmul(v, R.permute_dims(w))
            whole = R.matmul(R.permute_dims(R.permute_dims(i)), j, out_dtype="int32")
            R.output(x, y, z, scores, batches, few, whole)
        return (x, y, z, scores, batches, few, whole)
