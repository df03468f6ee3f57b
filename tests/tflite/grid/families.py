"""Lists the families of cases by name, and makes their cases."""
from grid import (bodies, compressed, detections, elementwise, lookups, movement, other_types, reductions, selection, signal,
                  windows)
from grid.maker import Maker, with_special_elements

FAMILIES = {**elementwise.FAMILIES, **windows.FAMILIES, **reductions.FAMILIES,
            **movement.FAMILIES, **selection.FAMILIES, **other_types.FAMILIES,
            **lookups.FAMILIES, **bodies.FAMILIES, **signal.FAMILIES,
            **detections.FAMILIES, **compressed.FAMILIES}


def cases_of(name, count, first=0, special=False):
    cases = []
    for i in range(first, first + count):
        case = FAMILIES[name](Maker("%s/%d" % (name, i)))
        case.name = "%s/%d" % (name, i)
        cases.append(with_special_elements(case) if special else case)
    return cases
