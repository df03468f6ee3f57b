#!/usr/bin/env python3
"""Compares what Lathe infers with what TVM's tests expect of inference.

    harvest_inference.py CHECKOUT OUT
    compare_inference.py OUT --lathe BIN [--json RESULTS.json] [--only TEXT] [--show VERDICT]

Needs the Python of harvest_inference.py: it is TVM that reads both types, in one scope, and that
decides whether two dimensions are the same; where it cannot, sixty values of the variables decide.
What is said of an expectation:

    same       dtype, rank, shape and device are those that are expected
    more       and something is known that is not expected: a shape where a rank is
    less       something that is expected is not known
    different  something that is expected is known to be otherwise
    refused    the call is an error
    deliberate one of the last three, for a reason in inference_deliberate.list
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import subprocess
import sys

import tvm
import tvm_ffi
from tvm import relax, tirx

RESULT = re.compile(r"^    def \w+\(.*\) -> (.*):$", re.MULTILINE)
SHAPED = re.compile(r"R\.Tensor\((?!dtype|ndim|vdevice)([A-Za-z_]\w*)(?=[,)])")
ANALYZER = tvm.arith.Analyzer()
HERE = pathlib.Path(__file__).parent


def same_dimension(left, right):
    if ANALYZER.can_prove_equal(left, right):
        return True
    variables = []

    def visit(node):
        if isinstance(node, tirx.Var) and not any(node.same_as(v) for v in variables):
            variables.append(node)

    tirx.stmt_functor.post_order_visit(left, visit)
    tirx.stmt_functor.post_order_visit(right, visit)
    sizes = random.Random(0)
    for _ in range(60):
        values = {v: tirx.IntImm(str(v.ty), sizes.randint(1, 400)) for v in variables}
        sides = [ANALYZER.simplify(tirx.stmt_functor.substitute(e, values)) for e in (left, right)]
        if any(not isinstance(s, tirx.IntImm) for s in sides) or sides[0].value != sides[1].value:
            return False
    return True


def same_shape(want, got):
    return len(want) == len(got) and all(map(same_dimension, want, got))


def parts(want, got):
    """What is to be said of each part of a type: same, more, less or different."""
    def part(left, right, unknown, equal):
        if unknown(left) or unknown(right):
            yield "same" if unknown(left) and unknown(right) else "more" if unknown(left) else "less"
        else:
            yield "same" if equal(left, right) else "different"

    if isinstance(want, relax.AnyType):
        yield "same" if isinstance(got, relax.AnyType) else "more"
    elif isinstance(got, relax.AnyType):
        yield "less"
    elif type(want) is not type(got):
        yield "different"
    elif isinstance(want, tvm.ir.TupleType):
        if len(want.fields) != len(got.fields):
            yield "different"
            return
        for left, right in zip(want.fields, got.fields):
            yield from parts(left, right)
    elif isinstance(want, relax.TensorType):
        yield from part(str(want.dtype), str(got.dtype), lambda d: d in ("", "void", "None"), str.__eq__)
        yield from part(want.ndim, got.ndim, lambda n: n < 0, int.__eq__)
        yield from part(want.vdevice, got.vdevice, lambda d: d is None, tvm_ffi.structural_equal)
        yield from part(want.shape, got.shape, lambda s: s is None,
                        lambda w, g: same_shape(w.values, g.values))
    elif isinstance(want, relax.ShapeType):
        yield from part(want.ndim, got.ndim, lambda n: n < 0, int.__eq__)
        yield from part(want.values, got.values, lambda v: v is None, same_shape)
    elif isinstance(want, relax.distributed.DTensorType):
        yield from parts(want.tensor_ty, got.tensor_ty)
        yield "same" if tvm_ffi.structural_equal(want, got) else "different"
    else:
        yield "same" if tvm_ffi.structural_equal(want, got) else "different"


def verdict(want, got):
    said = set(parts(want, got))
    return next((word for word in ("different", "less", "more") if word in said), "same")


def ask(lathe, file):
    """(what Lathe says of the program's result, its first diagnostic), one of them None."""
    done = subprocess.run([lathe, "inspect", "--after", "normalize", "--show-info", file],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2):
        return None, f"ends with {done.returncode}"
    if done.returncode:
        return None, next((line for line in done.stderr.splitlines() if "error" in line), "?")
    found = RESULT.search(done.stdout)
    return (found.group(1), None) if found else (None, "no type is printed")


def spell_shapes(text):
    """The signature with dimensions in the place of Relax variables that are shapes of tensors.

    TVM's parser does not see one parameter in the type of another. What is of unknown rank gets one
    dimension, which nothing else has.
    """
    for name in dict.fromkeys(SHAPED.findall(text)):
        declared = re.search(r"\b" + name + r": R\.Shape(\(ndim=(-?\d+)\)|\(\[([^\]]*)\]\))?", text)
        if declared.group(3) is not None:
            dims = declared.group(3)
        else:
            rank = int(declared.group(2) or -1)
            dims = ", ".join(f'"{name}__{i}"' for i in range(rank)) if rank >= 0 else f'"{name}__is"'
            text = text.replace(declared.group(0), f"{name}: R.Shape([{dims}])")
        dims = f"({dims},)" if dims else "()"
        text = re.sub(r"R\.Tensor\(" + name + r"(, ndim=\d+)?(?=[,)])", f"R.Tensor({dims}", text)
    text = re.sub(r"T\.Div\(([^(),]*), (\d+)\)", r"T.Div(\1, T.int64(\2))", text)
    return re.sub(r"(R\.Tensor\(\([^()]*\)[^()]*), ndim=\d+", r"\1", text)


def judge(entry, got, error):
    if entry["kind"] == "reject":
        return ("same", error) if error else ("accepted", got)
    if error:
        return "refused", error
    text = spell_shapes(entry["signature"].replace("got: R.Any", f"got: {got}"))
    try:
        params = list(tvm.script.from_source(text, check_well_formed=False)["main"].params)
        wanted, known = params[-2].ty, params[-1].ty
    except Exception as problem:  # pylint: disable=broad-except
        return "unread", f"{got}: {' '.join(str(problem).split())[:200]}"
    return verdict(wanted, known), f"wanted {wanted}, inferred {got}"


def deliberate():
    lines = (HERE / "inference_deliberate.list").read_text().splitlines()
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="", help="tests whose names have this text")
    parser.add_argument("--show", action="append", default=[], help="list what has this verdict")
    options = parser.parse_args()
    entries = json.loads((options.out / "manifest.json").read_text())["programs"]
    entries = [entry for entry in entries if options.only in entry["test"]]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(
            lambda e: ask(options.lathe, str(options.out / e["file"])), entries))
    meant = deliberate()
    table = collections.defaultdict(collections.Counter)
    for entry, answer in zip(entries, answers):
        entry["verdict"], entry["because"] = judge(entry, *answer)
        if entry["verdict"] not in ("same", "more") and entry["test"] in meant:
            entry["verdict"] = "deliberate"
        table[entry["kind"]][entry["verdict"]] += 1
        if entry["verdict"] in options.show:
            print(f"{entry['verdict']:10} {entry['test']}:{entry['line']} {entry['operator']} "
                  f"{entry['file']}\n    {entry['because']}")
    for kind, counts in table.items():
        total = sum(counts.values())
        agreed = counts["same"] + counts["more"]
        print(f"{kind}: {total}, agreed {agreed} ({100 * agreed / total:.1f} %): "
              + ", ".join(f"{word} {count}" for word, count in counts.most_common()))
    if options.json:
        options.json.write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
