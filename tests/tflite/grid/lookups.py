"""Cases of box suppression, of sparse lookups, and of more types of LiteRT."""
from grid.elementwise import arithmetic, direct
from grid.maker import Case, count, options
from grid.reductions import kept, reduction


def suppression(code, table):
    def make(m):
        n, room = m.integer(1, 9), m.integer(1, 8)
        corners = []
        for _ in range(n):
            y, x = m.real(0, 2), m.real(0, 2)
            corners += m.pick([[y, x, y + m.real(0.5, 2), x + m.real(0.5, 2)],
                               [y + m.real(0.5, 2), x + m.real(0.5, 2), y, x]])
        scores = [(k + 1) / (n + 1) for k in m.shuffled(range(n))]
        inputs = [m.tensor([n, 4], values=corners), m.tensor([n], values=scores), m.scalar(room),
                  m.tensor([], constant=True, values=[m.pick([0.1, 0.3, 0.5, 0.9])]),
                  m.tensor([], constant=True, values=[m.pick([0.0, 0.2, 0.5])])]
        outputs = [m.result([room], "int32")]
        if code == 121:
            inputs.append(m.tensor([], constant=True, values=[m.pick([0.0, 0.0, 0.5, 1.0])]))
            outputs.append(m.result([room]))
        return Case(code, inputs, outputs + [m.result([], "int32")], options(table))
    return make


def sparse_lookup(m):
    rank = m.integer(2, 3)
    groups = [m.integer(1, 3) for _ in range(rank - 1)]
    rows = m.integer(1, 6)
    places = sorted([m.integer(0, g - 1) for g in groups] for _ in range(rows))
    places = [p + [i] for i, p in enumerate(places)]
    table = m.tensor([m.integer(1, 4)] + m.shape(1, 2, 3))
    ids = m.tensor([rows], "int32", low=0, high=table.shape[0] - 1)
    return Case(33, [ids, m.tensor([rows, rank], "int32", values=sum(places, [])),
                     m.ints(groups + [rows]), m.tensor([rows], low=0.1, high=2.0), table],
                [m.result(groups + table.shape[1:])], options(20, combiner=m.integer(0, 2)))


def matmul_int32(m):
    a = m.quantized([m.integer(1, 4), m.integer(1, 6)], "int8")
    b = m.quantized([a.shape[1], m.integer(1, 4)], "int8")
    y = m.result([a.shape[0], b.shape[1]], "int32", a.scale[0] * b.scale[0], 0)
    return Case(126, [a, b], [y], options(101))


def place_of(m):
    code, table = m.pick([(56, 40), (79, 57)])
    shape = m.shape(1, 4, 6)
    axis = m.integer(0, len(shape) - 1)
    x = m.tensor(shape, m.pick(["int32", "uint8", "bool"]), low=0, high=3)
    kind = m.pick([("int32", 2), ("int64", 4)])
    return Case(code, [x, m.ints([axis])], [m.result(kept(shape, [axis], False), kind[0])],
                options(table, output_type=kind[1]))


def window_pool(m):
    """Pools of int16 with activations over windows larger than the data."""
    shape = [1, m.integer(1, 3), m.integer(1, 3), 2]
    x = m.quantized(shape, m.pick(["int8", "int16"]))
    return Case(m.pick([1, 17]), [x], [m.like(x, [1, -(-shape[1] // 2), -(-shape[2] // 2), 2])],
                options(5, padding=0, stride_h=2, stride_w=2, filter_height=5, filter_width=5,
                        activation=m.integer(0, 3)))


def where_constant(m):
    shape = m.shape(1, 3, 4)
    dtype = m.pick(["bool", "int32", "float32"])
    values = [m.pick([0, 0, 1]) for _ in range(count(shape))]
    x = m.tensor(shape, dtype, constant=True, values=values)
    return Case(109, [x], [m.result([sum(values), len(shape)], "int64")], options(85))


def unique_constant(m):
    values = [m.integer(0, 4) for _ in range(m.integer(1, 9))]
    x = m.tensor([len(values)], m.pick(["int32", "float32", "int64"]), constant=True,
                 values=values)
    return Case(103, [x], [m.result([len(set(values))], x.dtype),
                           m.result([len(values)], "int32")], options(80, idx_out_type=2))


FAMILIES = {
    "WHERE_CONSTANT": where_constant, "UNIQUE_CONSTANT": unique_constant,
    "NON_MAX_SUPPRESSION_V4": suppression(120, 95), "NON_MAX_SUPPRESSION_V5": suppression(121, 96),
    "EMBEDDING_LOOKUP_SPARSE": sparse_lookup, "BATCH_MATMUL_INT32": matmul_int32,
    "ARG_OTHER": place_of, "POOL_LARGE": window_pool,
    "ADD_INT64": arithmetic(0, 11, "sum", ("int64",), acts=False),
    "SUB_INT64": arithmetic(41, 28, "sum", ("int64",), acts=False),
    "MUL_INT64": arithmetic(18, 21, "product", ("int64",), acts=False),
    "FLOOR_DIV_NEGATIVE": direct(90, 65, ("float32",), low=-30, high=-1),
    "REDUCE_PROD_FLOAT": reduction(81, ("float32",), low=-2.0, high=2.0),
    "MEAN_INT": reduction(40, ("int32", "int64")),
}
