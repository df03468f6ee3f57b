#!/usr/bin/env python3
"""Evaluates what harvest_pairs.py found: both programs of a pair must give the same values.

    compare_pairs.py OUT --lathe BIN [--json FILE] [--only TEXT] [--passes]

Every public function that both programs have, with as many parameters, is run by `lathe run` on the
same made-up input. A pair agrees when all their results do; it is not executable when one cannot be
run, for a reason that is counted; else it differs, and pairs_explained.list says why, or lathe is
wrong. With --passes each pass of lathe is applied to each Relax program that ran, and must keep its
values. The exit status says whether anything differs that is not explained.
"""
import argparse
import ast
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import zipfile

PASSES = ("canonicalize_bindings", "dead_code_elimination", "decompose_composites",
          "eliminate_common_subexpr", "fold_constants", "inline_private_functions", "lambda_lift",
          "legalize", "normalize", "remove_unused_parameters", "to_non_dataflow",
          "topological_sort")
EXPLAINED = pathlib.Path(__file__).with_name("pairs_explained.list")
NPY_CODES = {"float64": "d", "float32": "f", "float16": "e", "int64": "q", "int32": "i",
             "int16": "h", "int8": "b", "uint8": "B", "uint32": "I", "uint64": "Q", "bool": "?"}


def write_npy(path, dtype, shape, values):
    code = NPY_CODES[dtype]
    kind = "b" if dtype == "bool" else dtype[0]
    header = f"{{'descr': '<{kind}{struct.calcsize(code)}', 'fortran_order': False, " \
             f"'shape': ({''.join(f'{d},' for d in shape)})}}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(values)}{code}", *values))


def shape_names(annotation):
    """The shape of every tensor in an annotation, as far as it is written: names and numbers."""
    shapes = []
    for node in ast.walk(ast.parse(annotation.strip() or "None", mode="eval")):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).split(".")[-1] in (
                "Tensor", "Buffer", "Shape", "match_buffer"):
            first = node.args[0]
            dims = first.elts if isinstance(first, (ast.Tuple, ast.List)) else []
            shape = []
            for dim in dims:
                if isinstance(dim, ast.Call) and dim.args:  # T.int64(4)
                    dim = dim.args[0]
                name = dim.id if isinstance(dim, ast.Name) else getattr(dim, "value", None)
                shape.append(name if isinstance(name, int) or str(name).isidentifier() else None)
            shapes.append(shape)
    return shapes


def sizes_of(before, expected):
    """Values for the shape variables and integers of both functions: what one has as a number the
    other gets, variables at one place have one value, and others different ones."""
    values = ({}, {})
    count = 0
    for one, other in zip(before["params"], expected["params"]):
        for left, right in zip(shape_names(one[1]), shape_names(other[1])):
            for a, b in zip(left, right):
                for mine, dim, theirs in ((values[0], a, b), (values[1], b, a)):
                    if isinstance(dim, str) and isinstance(theirs, int):
                        mine.setdefault(dim, theirs)
    for one, other in zip(before["params"], expected["params"]):
        for left, right in zip(shape_names(one[1]), shape_names(other[1])):
            for a, b in zip(left, right):
                known = values[0].get(a) or values[1].get(b)
                if known is None and (isinstance(a, str) or isinstance(b, str)):
                    known, count = 2 + (count * 3 + 1) % 5, count + 1
                if isinstance(a, str):
                    values[0].setdefault(a, known)
                if isinstance(b, str):
                    values[1].setdefault(b, known)
        for mine, (name, annotation) in ((values[0], one), (values[1], other)):
            if INTEGER.fullmatch(annotation):
                mine.setdefault(name, values[0].get(name, 2 + len(name) % 4))
    return values


INTEGER = re.compile(r"""(?:T\.|Tx\.|R\.Prim\(["'])(u?int\d+)(?:["']\))?""")


class Runner:
    def __init__(self, lathe, root, seconds):
        self.lathe, self.root, self.seconds = lathe, root, seconds

    def limit_time(self):
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 1))

    def run(self, file, function, sizes, inputs, folder, passes=None):
        """(result, None) or (None, why it cannot be run). Files that had to be made are added to
        `inputs`, for the other program to take the same."""
        sizes = dict(sizes)
        bounds, guess = [2, 4], "float32"
        for name, annotation in function["params"]:
            scalar = INTEGER.fullmatch(annotation)
            if scalar and scalar[1] in NPY_CODES:
                write_npy(folder / f"{name}.npy", scalar[1], (), [sizes.pop(name, 3)])
                inputs[name] = folder / f"{name}.npy"
        for _ in range(4 + 2 * len(function["params"]) + len(sizes)):
            command = [self.lathe, "run", str(self.root / file), "--json", "--func",
                       function["name"], "--random", "seed=1", "--diagnostics", "short"]
            command += [f"--input={n}={path}" for n, path in inputs.items()]
            command += [f"-D{n}={value}" for n, value in sizes.items()]
            command += ["--apply", passes] if passes else []
            done = subprocess.run(command, capture_output=True, text=True,
                                  preexec_fn=self.limit_time)
            if done.returncode == -signal.SIGXCPU:
                return None, f"takes more than {self.seconds} s"
            if done.returncode == 0:
                return json.loads(done.stdout)["result"], None
            if done.returncode < 0 or "report this" in done.stderr:
                return None, "CRASH " + done.stderr.strip()[-300:]
            unknown = re.search(r"has no shape variable '(\w+)'", done.stderr)
            if unknown and unknown[1] in sizes:
                del sizes[unknown[1]]
                continue
            if "[run-out-of-bounds]" in done.stderr and bounds:
                self.small_indices(function, sizes, bounds.pop(), inputs, folder)
                continue
            if "[op-argument-dtype]" in done.stderr and "int32" in done.stderr and guess == "float32":
                guess = "int32"
                inputs.clear()
                continue
            if not self.make_up(done.stderr, guess, sizes, inputs, folder):
                break
        lines = done.stderr.strip().splitlines()
        return None, next((l for l in lines if " error" in l or "unsupported" in l), lines[0])

    @staticmethod
    def small_indices(function, sizes, bound, inputs, folder):
        """Tensors of integers hold what is below `bound` instead: indices of most dimensions."""
        for name, annotation in function["params"]:
            dtype = re.search(r"""["'](u?int(?:64|32|16|8))["']""", annotation)
            shape = (shape_names(annotation) or [[None]])[0]
            shape = [sizes.get(dim, dim) for dim in shape]
            if dtype and shape and all(isinstance(dim, int) for dim in shape):
                values = [n % bound for n in range(math.prod(shape))]
                write_npy(folder / f"{name}.npy", dtype[1], shape, values)
                inputs[name] = folder / f"{name}.npy"

    @staticmethod
    def make_up(message, guess, sizes, inputs, folder):
        """An input for a tensor with no dtype, or no shape (every dimension is 4), or for an object."""
        found = re.search(r"'([\w.]+)' cannot be made up(?:, since its shape is not written)?:"
                          r"(?: it is)? R\.(?:Tensor\((.*?)\)|Object)(?:;|$)", message)
        if found is None or found[1] in inputs:
            return False
        known = found[2] or ""
        rank = re.search(r"ndim=(\d+)", known)
        dtype = re.search(r'"(\w+)"', known)
        dtype = dtype[1] if dtype else guess
        written = re.match(r"\(([^()]*)\)", known)
        shape = [4] * (int(rank[1]) if rank else 2)
        if written:
            shape = []
            for dim in filter(None, (d.strip() for d in written[1].split(","))):
                for name in re.findall(r"[A-Za-z_]\w*", dim):
                    sizes.setdefault(name, 3)
                    dim = re.sub(rf"\b{name}\b", str(sizes[name]), dim)
                if not re.fullmatch(r"[\d +*/-]+", dim):
                    return False
                shape.append(int(eval(dim)))  # digits and operators only
        if dtype not in NPY_CODES:
            return False
        values = [(n * 7919 + len(found[1])) % 13 for n in range(math.prod(shape))]
        values = [v / 8 - 0.75 if dtype.startswith("float") else v % 4 for v in values]
        write_npy(folder / f"{found[1]}.npy", dtype, shape, values)
        inputs[found[1]] = folder / f"{found[1]}.npy"
        return True


def difference(a, b, tolerance):
    """Where and how two results differ, or None."""
    if a["kind"] != b["kind"]:
        return f"a {a['kind']} and a {b['kind']}"
    if a["kind"] == "tuple":
        if len(a["fields"]) != len(b["fields"]):
            return f"tuples of {len(a['fields'])} and of {len(b['fields'])}"
        for n, (x, y) in enumerate(zip(a["fields"], b["fields"])):
            found = difference(x, y, tolerance)
            if found:
                return f".{n}: {found}" if found[0] != "." else f".{n}{found}"
        return None
    if a["kind"] in ("tensor", "scalar"):
        if a["dtype"] != b["dtype"]:
            return f"{a['dtype']} and {b['dtype']}"
        if a.get("shape") != b.get("shape"):
            return f"shapes {a['shape']} and {b['shape']}"
        left = a["data"] if a["kind"] == "tensor" else [a["value"]]
        right = b["data"] if a["kind"] == "tensor" else [b["value"]]
        for n, (x, y) in enumerate(zip(left, right)):
            if x == y or (isinstance(x, float) and isinstance(y, (float, int))
                          and abs(x - y) <= tolerance * (1 + abs(x))):
                continue
            return f"element {n}: {x} and {y}"
        return None
    return None if a == b else f"{a} and {b}"


def tolerance_of(texts):
    """What rounding may do: as much as the narrowest float type that the programs name."""
    joined = " ".join(texts)
    for pattern, tolerance in ((r"e[245]m\d", 0.2), ("bfloat16", 0.06), ("float16", 0.02)):
        if re.search(pattern, joined):
            return tolerance
    return 1e-4


def compare(pair, runner, passes):
    """One pair's outcome: the verdict, why, and what lathe's passes change."""
    out = {"name": pair["name"], "source": pair["source"], "test": pair["test"], "passes": {}}
    features = sorted(set(pair["before"]["features"] + pair["expected"]["features"]))
    matched = list(zip(pair["before"]["functions"], pair["expected"]["functions"]))
    if not matched:
        return out | {"verdict": "not executable", "why": "no function of one name in both"}
    files = [pair[side]["file"] for side in ("before", "expected")]
    tolerance = tolerance_of([(runner.root / f).read_text() for f in files])
    agreed, differing, failed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for before, expected in matched:
            label = before["name"]
            if len(before["params"]) != len(expected["params"]):
                differing.append(f"{label}: takes {len(before['params'])} parameters, expected "
                                 f"{len(expected['params'])}")
                continue
            sizes, inputs = sizes_of(before, expected), {}
            one, why = runner.run(files[0], before, sizes[0], inputs, folder)
            if why:
                failed.append(f"{label}: before: {why}")
                continue
            made = len(inputs)
            other, why = (one, None) if pair["same"] else runner.run(files[1], expected, sizes[1],
                                                                         inputs, folder)
            if why:
                failed.append(f"{label}: expected: {why}")
                continue
            if len(inputs) > made:  # The other program could not take what this one took.
                one, why = runner.run(files[0], before, sizes[0], inputs, folder)
            found = why or difference(one, other, tolerance)
            if found:
                differing.append(f"{label}: {found}")
            else:
                agreed.append(label)
            if passes and before["kind"] == "relax":
                for name in PASSES:
                    result, why = runner.run(files[0], before, sizes[0], inputs, folder,
                                              name)
                    verdict = why or difference(one, result, tolerance)
                    if verdict:
                        out["passes"][f"{label} {name}"] = verdict
                    out["applied"] = out.get("applied", 0) + 1
    out["functions"] = len(agreed)
    if differing:
        return out | {"verdict": "differ", "why": "; ".join(differing)}
    if agreed:
        return out | {"verdict": "agree", "why": "; ".join(failed)}
    if features and not any("[run-" in why for why in failed):
        failed = ["needs Python: " + ", ".join(features[:2])]
    return out | {"verdict": "not executable", "why": "; ".join(failed)}


def read_explained():
    found = {}
    for line in EXPLAINED.read_text().splitlines() if EXPLAINED.exists() else []:
        if line and not line.startswith("#"):
            name, reason = line.split(None, 1)
            found[name] = reason
    return found


def explanation(explained, name):
    """The reason that is given for the pair, or for all pairs of its file (the name up to the lines)."""
    return explained.get(name) or explained.get(name.rsplit(".", 2)[0])


def reason_kind(why):
    """The part of a reason that is the same for many pairs."""
    first = why.split("; ")[0]
    code = re.search(r"\[([a-z0-9-]+)\]", first)
    return code[1] if code else re.sub(r"'[^']*'|\d+", "_", first)[:100]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="", help="pairs whose name has this in it")
    parser.add_argument("--passes", action="store_true")
    parser.add_argument("--seconds", type=int, default=20, help="processor time for one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    pairs = [p for p in json.loads((args.out / "pairs.json").read_text()) if args.only in p["name"]]
    runner = Runner(args.lathe, args.out, args.seconds)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = []
        for result in pool.map(lambda p: compare(p, runner, args.passes), pairs):
            results.append(result)
            if args.json:
                with args.json.open("a") as lines:
                    lines.write(json.dumps(result) + "\n")
    explained = read_explained()
    verdicts = collections.Counter(r["verdict"] for r in results)
    print(f"{len(results)} pairs: " + ", ".join(f"{n} {v}" for v, n in verdicts.most_common()))
    reasons = collections.Counter(reason_kind(r["why"]) for r in results
                                  if r["verdict"] == "not executable")
    for reason, count in reasons.most_common():
        print(f"  {count:4} {reason}")
    bad = 0
    for r in results:
        reason = explanation(explained, r["name"])
        if r["verdict"] == "differ" and reason is None:
            bad += 1
            print(f"DIFFERS {r['name']} ({r['test']}): {r['why'][:200]}")
        for name, verdict in r["passes"].items():
            bad += 1
            print(f"PASS {r['name']} {name}: {verdict[:200]}")
    differing = [r for r in results if r["verdict"] == "differ"]
    count = sum(1 for r in differing if explanation(explained, r["name"]))
    print(f"{len(differing)} differ, {count} of them explained")
    if args.passes:
        print(f"{sum(r.get('applied', 0) for r in results)} runs after a pass, "
              f"{sum(len(r['passes']) for r in results)} of them not the same")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
