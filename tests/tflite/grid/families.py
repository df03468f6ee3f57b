"""Lists the families of cases by name, and makes their cases."""
from grid import (block_weights, bodies, complex_numbers, compressed, detections, elementwise, every_shape, every_type, every_window, factors, lookups, movement, other_types, random_numbers, recurrent,
                  reductions, selection, signal, windows)
from grid.maker import Maker, with_special_elements

FAMILIES = {**elementwise.FAMILIES, **windows.FAMILIES, **reductions.FAMILIES,
            **movement.FAMILIES, **selection.FAMILIES, **other_types.FAMILIES,
            **lookups.FAMILIES, **bodies.FAMILIES, **signal.FAMILIES,
            **detections.FAMILIES, **compressed.FAMILIES, **every_type.FAMILIES,
            **every_shape.FAMILIES, **recurrent.FAMILIES, **every_window.FAMILIES,
            **factors.FAMILIES, **complex_numbers.FAMILIES,
            **random_numbers.FAMILIES, **block_weights.FAMILIES}


def cases_of(name, count, first=0, special=False):
    cases = []
    for i in range(first, first + count):
        case = FAMILIES[name](Maker("%s/%d" % (name, i)))
        case.name = "%s/%d" % (name, i)
        cases.append(with_special_elements(case) if special else case)
    return cases
