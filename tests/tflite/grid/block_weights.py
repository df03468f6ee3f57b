"""Cases of weights that are quantized in blocks."""
from grid.maker import Case, Tensor, options, packed


def weights(m, rows, blocks, size):
    scales = Tensor("s", [rows, blocks], "float16", data=packed(
        "float16", [m.real(0.001, 0.1) for _ in range(rows * blocks)]))
    values = m.elements("int4", rows * blocks * size, -8, 7)
    w = m.tensor([rows, blocks * size], "int4", constant=True, values=values)
    w.blocks = scales, size
    return w


def product(m):
    # LiteRT has a kernel for at least 4 columns of at least 32 elements.
    rows, columns, blocks = m.integer(1, 4), 4 * m.integer(1, 4), m.integer(1, 3)
    w = weights(m, columns, blocks, 32)
    x = m.tensor([rows, blocks * 32], values=[0.0 if m.chance(0.1) else v for v in
                                              m.elements("float32", rows * blocks * 32)])
    inputs = [x, w] + ([m.tensor([columns], constant=True)] if m.chance() else [])
    case = Case(9, inputs, [m.result([rows, columns])], options(8, asymmetric=1),
                oracle="litert-optimized")
    return case


def lookup(m):
    rows, blocks, size = m.integer(1, 6), m.integer(1, 3), 2 * m.integer(1, 9)
    ids = m.tensor([m.integer(1, 5)], "int32", low=0, high=rows - 1)
    return Case(7, [ids, weights(m, rows, blocks, size)],
                [m.result([ids.shape[0], blocks * size])])


FAMILIES = {"FULLY_CONNECTED_BLOCKS": product, "EMBEDDING_LOOKUP_BLOCKS": lookup}
