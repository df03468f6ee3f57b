"""Cases of operators that draw random numbers, over several runs."""
from grid.maker import RANGES, Case, count, options, packed


def seeds(m):
    wide = lambda: m.integer(-2**62, 2**62)
    return options(114, seed=m.pick([1, 7, wide()]), seed2=m.pick([0, 3, wide()]))


def reals(code, even):
    def make(m):
        shape = m.shape(0, 3)
        if even:  # LiteRT writes pairs
            shape = shape + [2]
        case = Case(code, [m.ints(shape)], [m.result(shape)], seeds(m))
        case.steps = 3
        return case
    return make


def multinomial(m):
    rows, classes, samples = m.integer(1, 4), m.integer(1, 9), m.integer(0, 7)
    values = [m.pick([v, v, v, float("-inf")]) for v in m.elements("float32", rows * classes)]
    logits = m.tensor([rows, classes], values=values)
    logits.feed = logits.feed * 3
    case = Case(149, [logits, m.scalar(samples)],
                [m.result([rows, samples], m.pick(["int32", "int64"]))], seeds(m))
    case.steps = 3
    return case


def bits(m):
    algorithm = m.integer(0, 2)
    numbers = 2 if algorithm == 2 else m.integer(2, 3)
    high = RANGES["uint64"][1]
    state = m.tensor([numbers], "uint64", values=[m.pick([0, 1, high, m.integer(0, high), 2**32 - 1])
                                                  for _ in range(numbers)])
    dtype = m.pick(["int32", "uint32", "int64", "uint64"])
    return Case(204, [state], [m.result([numbers], "uint64"), m.result(m.shape(0, 3), dtype)],
                options(-19, algorithm=algorithm))


FAMILIES = {"RANDOM_UNIFORM": reals(148, False), "RANDOM_STANDARD_NORMAL": reals(146, True),
            "MULTINOMIAL": multinomial, "RNG_BIT_GENERATOR": bits}
