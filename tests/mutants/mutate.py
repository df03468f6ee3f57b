#!/usr/bin/env python3
"""Writes the sources in which the faults of mutants.table can be switched on: mutate.py OUT

Prints the files that it replaces, relative to the source tree. Ends with 1 where a fault no longer fits its
source, after naming all such faults; without OUT it only checks that.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^(\d+) (\S+): (.+)\nold: (.+)\nnew: (.+)(?:\nlook: (.+))?$", re.MULTILINE)


def mutants():
    """Number, file, description, text before, expression, text after, replacement, tests that run first."""
    for number, path, fault, old, new, look in ROW.findall((ROOT / "tests" / "mutants" / "mutants.table").read_text()):
        before, _, rest = old.rpartition("«")
        expression, _, after = rest.partition("»")
        yield int(number), pathlib.PurePosixPath("generator") / path, fault, before, expression, after, new, look


def mutated_sources():
    """The mutated text of each file, and the faults that do not fit."""
    texts, unfit, numbers = {}, [], set()
    for number, path, fault, before, expression, after, new, _ in mutants():
        source = ROOT / path
        text = texts.get(path) or (source.read_text() if source.exists() else "")
        old = before + expression + after
        if number in numbers or text.count(old) != 1:
            unfit.append(f"mutant {number} ({fault}): '{old}' occurs {text.count(old)} times in {path}")
            continue
        numbers.add(number)
        switched = f"{before}(::lathe::IsMutant({number}) ? ({new}) : ({expression})){after}"
        texts[path] = text.replace(old, switched)
    return {path: '#include "tests/mutants/is_mutant.h"\n' + text for path, text in texts.items()}, unfit


def main():
    texts, unfit = mutated_sources()
    for line in unfit:
        print(line, file=sys.stderr)
    if unfit:
        return 1
    if len(sys.argv) > 1:
        for path, text in texts.items():
            target = pathlib.Path(sys.argv[1]) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_text() != text:
                target.write_text(text)
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
