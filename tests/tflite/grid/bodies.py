"""Cases of StableHLO operators that use subgraphs."""
from grid.maker import Case, Operator, Tensor, options
from model_writer import Subgraph

COMBINATIONS = [163, 165, 166, 181]


def with_body(m, case, dtype, number, code=None, **fields):
    """Adds a subgraph of one operator, or one that returns its second input."""
    a, b, y = (Tensor(name, [], dtype) for name in ("a", "b", "r"))
    operators = [] if code is None else [Operator(code, [a, b], [y])]
    case.bodies = [Subgraph([a, b], [b if code is None else y], operators, "body")]
    case.options_of = lambda index: options(number, body=index, **fields)
    return case


def window_function(m):
    rank = m.integer(1, 4)
    sizes, strides, dilations = [[m.integer(1, 3) for _ in range(rank)] for _ in range(3)]
    shape = [(s - 1) * d + 1 + m.integer(0, 4) for s, d in zip(sizes, dilations)]
    out = [(n - ((s - 1) * d + 1)) // t + 1 for n, s, d, t in zip(shape, sizes, dilations, strides)]
    function = m.integer(1, 6)
    dtype = "bool" if function > 4 else m.pick(["float32", "int32", "int8", "int16", "uint8", "int64"])
    low, high = (0, 3) if dtype == "uint8" else (-3, 3)
    x = m.tensor(shape, dtype, low=low, high=high)
    start = m.tensor([], dtype, low=low, high=high, constant=m.chance())
    return Case(205, [x, start] + [m.ints(v, "int64") for v in (sizes, strides, dilations)],
                [m.result(out, dtype)], options(-20, function=function))


def reduce_window(m):
    dtype = m.pick(["float32", "int32"])
    shape = m.shape(1, 3, 5)
    sizes, strides, spreads, dilations, padding, out = [], [], [], [], [], []
    for size in shape:
        window, dilation, spread = m.integer(1, 3), m.integer(1, 2), m.integer(1, 2)
        reach = (window - 1) * dilation + 1
        before, after = m.integer(0, 2), m.integer(0, 2)
        all_ = (size - 1) * spread + 1 + before + after
        if all_ < reach:
            after += reach - all_
            all_ = reach
        stride = m.integer(1, 2)
        sizes.append(window)
        strides.append(stride)
        spreads.append(spread)
        dilations.append(dilation)
        padding += [before, after]
        out.append((all_ - reach) // stride + 1)
    x = m.tensor(shape, dtype, low=-4, high=4)
    code = m.pick(COMBINATIONS)
    start = m.tensor([], dtype, values=[m.pick([0, 1]) if dtype == "int32" else 0.0])
    case = Case(198, [x, start], [m.result(out, dtype)])
    return with_body(m, case, dtype, -13, code, window_dimensions=sizes, window_strides=strides,
                     base_dilations=spreads, window_dilations=dilations, padding=padding)


def scatter(m):
    """Rows of slices of a matrix or a cube."""
    dtype = m.pick(["float32", "int32"])
    shape = [m.integer(2, 5) for _ in range(m.integer(2, 3))]
    n = m.integer(1, 4)
    values = [m.integer(0, shape[0] - 1) for _ in range(n)]
    x = m.tensor(shape, dtype, low=-4, high=4)
    places = m.tensor([n, 1], "int32", values=values)
    updates = m.tensor([n] + shape[1:], dtype, low=-4, high=4)
    case = Case(190, [x, places, updates], [m.result(shape, dtype)])
    return with_body(m, case, dtype, -7, m.pick(COMBINATIONS + [None]),
                     update_window_dims=list(range(1, len(shape))), inserted_window_dims=[0],
                     scatter_dims=[0], index_vector_dim=1)


def pairwise(shape, code, number):
    a, b, y = (Tensor(name, shape, "float32") for name in ("a", "b", "r"))
    return Subgraph([a, b], [y], [Operator(code, [a, b], [y], options(number))], "branch")


EMPTY = bytes([0, 0, 1])  # a flexbuffer of nothing
BRANCHES = [(0, 11), (41, 28), (18, 21), (55, 39)]


def composite(m):
    shape = m.shape()
    case = Case(206, [m.tensor(shape), m.tensor(shape)], [m.result(shape)])
    case.bodies = [pairwise(shape, *m.pick(BRANCHES))]
    case.options_of = lambda index: options(-21, name="test", decomposition=index,
                                               attributes=EMPTY)
    return case


def branches(m):
    shape = m.shape()
    n = m.integer(1, 4)
    number = m.tensor([], "int32", values=[m.integer(0, n - 1)])
    case = Case(209, [number, m.tensor(shape), m.tensor(shape)], [m.result(shape)])
    case.bodies = [pairwise(shape, *BRANCHES[k]) for k in range(n)]
    case.options_of = lambda index: options(-23, branches=list(range(index, index + n)))
    return case


FAMILIES = {"STABLEHLO_COMPOSITE": composite, "STABLEHLO_CASE": branches,
            "STABLEHLO_REDUCE_WINDOW": reduce_window, "REDUCE_WINDOW": window_function, "STABLEHLO_SCATTER": scatter}
