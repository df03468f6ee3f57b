from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class HelloAdd:
    @T.prim_func(private=True)
    def add_kernel(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, T.int64(4)))
        B = T.match_buffer(b, (n, T.int64(4)))
        C = T.match_buffer(c, (n, T.int64(4)))
        for i, j in T.grid(n, T.int64(4)):
            with T.block("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + B[vi, vj]

    @R.function
    def main(
        x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")
    ) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = HelloAdd
        with R.dataflow():
            sum = R.call_tir(cls.add_kernel, (x, y), out_sinfo=R.Tensor((n, 4), "float32"))
            twice = R.add(sum, sum)
            R.output(twice)
        return twice
