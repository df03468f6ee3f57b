"""Cases of operators with complex64 tensors, whose elements are pairs of float32."""
from grid.maker import Case, count


def complex_tensor(m, shape):
    values = [m.real(-8, 8) for _ in range(2 * count(shape))]
    if m.chance(0.3):
        ends = [float("inf"), float("-inf"), float("nan")]
        values = [m.pick([0.0, -0.0, v, v * 1e-25, v * 1e18] + ends) for v in values]
    return m.tensor(shape, "complex64", values=values)


def part(code):
    def make(m):
        x = complex_tensor(m, m.shape(0, 4))
        return Case(code, [x], [m.result(x.shape)])
    return make


def moved(code):
    def make(m):
        shape = m.shape(1, 3)
        x = complex_tensor(m, shape)
        if code == 70:  # EXPAND_DIMS
            axis = m.integer(0, len(shape))
            return Case(code, [x, m.scalar(axis)],
                        [m.result(shape[:axis] + [1] + shape[axis:], "complex64")])
        flat = m.ints([count(shape)])
        return Case(code, [x, flat], [m.result([count(shape)], "complex64")])
    return make


def rfft2d(m):
    # LiteRT computes other numbers for rows of one sample.
    height, width = m.pick([1, 1, 2, 4, 8]), m.pick([2, 4, 8, 16, 64, 256])
    rows, columns = [max(1, n + m.pick([0, 0, -1, 1, 3])) for n in (height, width)]
    outer = m.shape(0, 2, 3)
    x = m.tensor(outer + [rows, columns])
    return Case(131, [x, m.ints([height, width])],
                [m.result(outer + [height, width // 2 + 1], "complex64")])


FAMILIES = {"RFFT2D": rfft2d, "IMAG": part(133), "REAL": part(134), "COMPLEX_ABS": part(135),
            "COMPLEX_RESHAPE": moved(22), "COMPLEX_EXPAND_DIMS": moved(70)}
