from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    # A launch as T.device_entry() says it: sums of rows by warps, of which a block has two.
    @T.prim_func
    def sums(X: T.Buffer((6, 32), "float32"), S: T.Buffer((6,), "float32")):
        T.device_entry()
        block = T.cta_id([3])
        warp = T.warp_id([2])
        lane = T.lane_id([32])
        sum: T.float32 = T.cuda.warp_sum(X[block * 2 + warp, lane])
        if lane == 0:
            S[block * 2 + warp] = sum

    # Threads in two directions.
    @T.prim_func
    def turned(X: T.Buffer((10, 12), "float32"), Y: T.Buffer((12, 10), "float32")):
        T.device_entry()
        bx, by = T.cta_id([2, 3])
        tx, ty = T.thread_id([5, 4])
        Y[by * 4 + ty, bx * 5 + tx] = X[bx * 5 + tx, by * 4 + ty]

    @R.function
    def main(x: R.Tensor((6, 32), "float32"), y: R.Tensor((10, 12), "float32")):
        cls = Module
        s = R.call_tir(cls.sums, (x,), out_sinfo=R.Tensor((6,), "float32"))
        t = R.call_tir(cls.turned, (y,), out_sinfo=R.Tensor((12, 10), "float32"))
        return (s, t)
