#!/usr/bin/env python3
"""Evaluates what harvest_pairs.py found: both programs of a pair must give the same values.

    compare_pairs.py OUT --lathe BIN [--json FILE] [--only TEXT] [--passes [row]]

Every public function that both programs have is run by `lathe run` on the same random input:
parameters that a test binds get what it binds them to, those that became a tuple are its parts, and
weights that expected has lifted out come from its own transform_params. A pair agrees when all results
do; where float16 differs, float32 in its place must agree. It is not executable when one cannot be run,
for a reason that is counted; else it differs, and pairs_explained.list says why, or lathe is wrong.
With --passes each pass of lathe is applied to each Relax program that ran, and must keep its values;
with --passes row all are, one after the other. The exit status says whether anything differs that is
not explained.
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

import pair_arrays
import pair_inputs

PASSES = ("canonicalize_bindings", "dead_code_elimination", "decompose_composites",
          "eliminate_common_subexpr", "fold_constants", "inline_private_functions", "lambda_lift",
          "legalize", "normalize", "remove_unused_parameters", "to_non_dataflow",
          "topological_sort")
EXPLAINED = pathlib.Path(__file__).with_name("pairs_explained.list")


class Runner:
    def __init__(self, lathe, root, seconds, externs=()):
        self.lathe, self.root, self.seconds, self.externs = lathe, root, seconds, externs

    def limit_time(self):
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds + 1))

    def run(self, file, function, sizes, inputs, folder, passes=None):
        """(result, None) or (None, why it cannot be run). Files that had to be made are added to
        `inputs`, for the other program to take the same."""
        sizes = dict(sizes)
        bounds, guess = [2, 4], "float32"
        taken = {name for name, _ in function["params"]}
        as_json, result = False, folder / "result.npz"
        for name, annotation in function["params"]:
            scalar = pair_inputs.INTEGER.fullmatch(annotation)
            if scalar and scalar[1] in pair_inputs.NPY_CODES:
                pair_inputs.write_npy(folder / f"{name}.npy", scalar[1], (), [sizes.get(name, 3)])
                inputs[name] = folder / f"{name}.npy"
        for _ in range(4 + 2 * len(function["params"]) + len(sizes)):
            command = [self.lathe, "run", str(self.root / file), "--func", function["name"],
                       "--random", "seed=1", "--diagnostics", "short"]
            command += [f"--extern={library}" for library in self.externs]
            command += ["--json"] if as_json else ["-o", str(result)]
            command += [f"--input={n}={path}" for n, path in inputs.items()
                        if n.split(".")[0] in taken]
            command += [f"-D{n}={value}" for n, value in sizes.items()]
            command += ["--apply", passes] if passes else []
            done = subprocess.run(command, capture_output=True, text=True,
                                  preexec_fn=self.limit_time)
            if done.returncode == -signal.SIGXCPU:
                return None, f"takes more than {self.seconds} s"
            if done.returncode == 0 and as_json:
                return json.loads(done.stdout)["result"], None
            if done.returncode == 0:
                values = pair_arrays.read_result(result)
                if values is not None:
                    return values, None
            if not as_json and (done.returncode == 0 or "no array holds" in done.stderr):
                as_json = True
                continue
            if done.returncode < 0 or "report this" in done.stderr:
                return None, "CRASH " + done.stderr.strip()[-300:]
            unknown = re.search(r"has no shape variable '(\w+)'", done.stderr)
            if unknown and unknown[1] in sizes:
                del sizes[unknown[1]]
                continue
            if "[run-out-of-bounds]" in done.stderr and bounds:
                pair_inputs.small_indices(function, sizes, bounds.pop(), inputs, folder)
                continue
            if "[op-argument-dtype]" in done.stderr and "int32" in done.stderr and guess == "float32":
                guess = "int32"
                inputs.clear()
                continue
            if not pair_inputs.make_up(done.stderr, guess, sizes, inputs, folder):
                break
        lines = done.stderr.strip().splitlines()
        return None, next((l for l in lines if " error" in l or "unsupported" in l), lines[0])


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
    if a["kind"] == "array":
        return pair_arrays.difference(a, b, tolerance)
    if a["kind"] in ("tensor", "scalar"):
        if a["dtype"] != b["dtype"]:
            return f"{a['dtype']} and {b['dtype']}"
        if a.get("shape") != b.get("shape"):
            return f"shapes {a['shape']} and {b['shape']}"
        left = a["data"] if a["kind"] == "tensor" else [a["value"]]
        right = b["data"] if a["kind"] == "tensor" else [b["value"]]
        for n, (x, y) in enumerate(zip(left, right)):
            if x != y and not pair_arrays.close(x, y, tolerance):
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


class Sides:
    """One function of a pair in both programs, and what each is run on."""

    def __init__(self, before, expected, given, folder):
        self.before, self.expected, self.folder = before, expected, folder
        names = [[p[0] for p in f["params"]] for f in (before, expected)]
        kept = [p for p in before["params"] if p[0] in names[1]]
        self.by_name = len(names[0]) != len(names[1]) and set(names[1]) <= set(names[0])
        one = before | {"params": kept} if self.by_name else before
        self.sizes = pair_inputs.sizes_of(one, expected)
        self.inputs = pair_inputs.give(given, (before, expected), self.sizes, folder)
        self.moved = None  # where the two take the same tensors as other parameters
        if len(names[0]) != len(names[1]) and not self.by_name:
            self.match_leaves()

    def match_leaves(self):
        """Parameters that became parts of a tuple, or parts that became parameters."""
        mine, theirs = (pair_inputs.leaves(f["params"]) for f in (self.before, self.expected))
        if not mine or not theirs or len(mine) != len(theirs):
            return
        files = [pair_inputs.fill(leaf, n, self.sizes[0], self.folder)
                 for n, leaf in enumerate(mine)]
        if None not in files:
            self.inputs.update((leaf[0], file) for leaf, file in zip(mine, files))
            self.moved = {leaf[0]: file for leaf, file in zip(theirs, files)}

    def comparable(self):
        return (len(self.before["params"]) == len(self.expected["params"]) or self.by_name
                or self.moved is not None)

    def common(self, result):
        """Of what a PrimFunc `before` leaves in its parameters, what `expected` takes too."""
        if (not self.by_name or self.before["kind"] != "prim_func" or result["kind"] != "tuple"
                or len(self.before["params"]) > len(result["fields"])):
            return result
        names = {p[0] for p in self.expected["params"]}
        kept = [p[0] in names for p in self.before["params"]]
        kept += [True] * (len(result["fields"]) - len(kept))  # what it returns
        return result | {"fields": [f for f, keep in zip(result["fields"], kept) if keep]}


def run_lifted(pair, runner, sides):
    """What `expected` gives for weights that its own transform_params made of those of `before`, or
    None where it has no such function. Its inputs become files that `before` takes too."""
    program, text = ((runner.root / pair[side]["file"]).read_text()
                     for side in ("before", "expected"))
    label = sides.expected["name"]
    counted = re.search(r'"num_input": (\d+)', program)
    found = re.search(rf"def ((?:{label}_)?transform_params)\(\s*(\w+): ", text)
    if not found or not counted or "transform_params" in label:
        return None
    functions = {n.name: n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)}
    original = {n.name: n for n in ast.walk(ast.parse(program))
                if isinstance(n, ast.FunctionDef)}[sides.before["name"]]
    bodies = [ast.unparse(f).replace(pair[side]["name"] + ".", "") for f, side in
              ((original, "before"), (functions[label], "expected"))]
    if bodies[0] == bodies[1]:
        return None  # Nothing was lifted out of this one.
    transform = functions[found[1]]
    holder = [[a.arg, ast.unparse(a.annotation)] for a in transform.args.args]
    weights, taken = pair_inputs.leaves(holder), pair_inputs.leaves(sides.before["params"])
    count = int(counted[1])
    if weights is None or taken is None or len(weights) != len(taken) - count:
        return None
    files = [pair_inputs.fill(leaf, n, sides.sizes[0], sides.folder)
             for n, leaf in enumerate(taken)]
    if None in files:
        return None
    sides.inputs.update((leaf[0], file) for leaf, file in zip(taken, files))
    made, why = runner.run(pair["expected"]["file"], {"name": found[1], "params": holder}, {},
                           {w[0]: f for w, f in zip(weights, files[count:])}, sides.folder)
    names = [p[0] for p in sides.expected["params"]]
    if why or made["kind"] != "tuple" or len(made["fields"]) != len(names) - count:
        return None, why or "transform_params makes other weights than are taken"
    inputs = dict(zip(names, files[:count]))
    for name, field in zip(names[count:], made["fields"]):
        if field["kind"] != "array":
            return None, f"transform_params makes a {field['kind']}"
        inputs[name] = sides.folder / f"{name}.lifted.npy"
        inputs[name].write_bytes(field["file"])
    return runner.run(pair["expected"]["file"], sides.expected, {}, inputs, sides.folder)


def run_both(pair, runner, sides, lifted):
    """(what before gives, what expected gives, why it cannot be run)."""
    files = [pair[side]["file"] for side in ("before", "expected")]
    one, why = runner.run(files[0], sides.before, sides.sizes[0], sides.inputs, sides.folder)
    if why:
        return None, None, f"before: {why}"
    if pair["same"]:
        return one, one, None
    if lifted:
        return one, lifted[0], lifted[1] and f"expected: {lifted[1]}"
    inputs = dict(sides.moved or sides.inputs)
    other, why = runner.run(files[1], sides.expected, sides.sizes[1], inputs, sides.folder)
    if why:
        return one, None, f"expected: {why}"
    if not sides.moved and inputs != sides.inputs:
        # The other program could not take what this one took.
        sides.inputs = inputs
        one, why = runner.run(files[0], sides.before, sides.sizes[0], inputs, sides.folder)
    return sides.common(one) if one else None, other, why and f"before: {why}"


def run_passes(pair, runner, sides, one, tolerance, passes, out):
    """Each of lathe's passes must keep the values of the Relax program, or all in a row."""
    for name in PASSES if passes == "each" else (",".join(PASSES),):
        result, why = runner.run(pair["before"]["file"], sides.before, sides.sizes[0],
                                 sides.inputs, sides.folder, name)
        verdict = why or difference(one, result, tolerance)
        if verdict:
            out["passes"][f"{sides.before['name']} {name}"] = verdict
        out["applied"] = out.get("applied", 0) + 1


FLOAT16 = re.compile(r"(?<!b)float16")


def widened(pair, runner, folder):
    """The pair with float32 for float16, and what runs it."""
    (folder / "pairs").mkdir()
    for side in ("before", "expected"):
        text = (runner.root / pair[side]["file"]).read_text()
        (folder / pair[side]["file"]).write_text(FLOAT16.sub("float32", text))
    functions = json.loads(FLOAT16.sub("float32", json.dumps(pair)))
    return functions, Runner(runner.lathe, folder, runner.seconds, runner.externs)


def compare(pair, runner, given, passes):
    """One pair's outcome. What differs is compared in float32 too: what agrees there is right, and
    differs in float16 by rounding."""
    out = compare_as_written(pair, runner, given, passes)
    texts = [(runner.root / pair[side]["file"]).read_text() for side in ("before", "expected")]
    if out["verdict"] != "differ" or not FLOAT16.search("".join(texts)):
        return out
    with tempfile.TemporaryDirectory() as folder:
        wide = compare_as_written(*widened(pair, runner, pathlib.Path(folder)), given, False)
    if wide["verdict"] != "agree":
        return out
    return out | {"verdict": "agree", "why": f"in float32; in float16 {out['why']}",
                  "functions": wide["functions"]}


def compare_as_written(pair, runner, given, passes):
    """One pair's outcome: the verdict, why, and what lathe's passes change."""
    out = {"name": pair["name"], "source": pair["source"], "test": pair["test"],
           "same": pair["same"], "passes": {}}
    features = sorted(set(pair["before"]["features"] + pair["expected"]["features"]))
    matched = list(zip(pair["before"]["functions"], pair["expected"]["functions"]))
    if not matched:
        return out | {"verdict": "not executable", "why": "no function of one name in both"}
    tolerance = tolerance_of([(runner.root / pair[side]["file"]).read_text()
                              for side in ("before", "expected")])
    agreed, differing, failed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for before, expected in matched:
            label = before["name"]
            sides = Sides(before, expected, listed(given, pair["name"]) or [],
                          pathlib.Path(folder))
            lifted = None if pair["same"] else run_lifted(pair, runner, sides)
            if not lifted and not sides.comparable():
                differing.append(f"{label}: takes {len(before['params'])} parameters, expected "
                                 f"{len(expected['params'])}")
                continue
            one, other, why = run_both(pair, runner, sides, lifted)
            if why:
                failed.append(f"{label}: {why}")
            found = None if why else difference(one, other, tolerance)
            if found:
                differing.append(f"{label}: {found}")
            elif not why:
                agreed.append(label)
            if passes and one and before["kind"] == "relax":
                run_passes(pair, runner, sides, one, tolerance, passes, out)
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


def listed(table, name):
    """What a list says of the pair, of all that it was printed as, or of its file (the name up to the
    lines)."""
    return (table.get(name) or table.get(re.sub(r"-\d+$", "", name))
            or table.get(name.rsplit(".", 2)[0]))


def reason_kind(why):
    """The part of a reason that is the same for many pairs."""
    first = why.split("; ")[0]
    for kind in ("takes more than", "needs Python"):
        if kind in first:
            return kind
    codes = re.findall(r"\[([a-z]+-[a-z0-9-]+)\]", first)
    return codes[-1] if codes else re.sub(r"\S*/\S*|'[^']*'|\d+", "_", first)[:100]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="", help="pairs whose name has this in it")
    parser.add_argument("--passes", nargs="?", const="each", choices=("each", "row"))
    parser.add_argument("--seconds", type=int, default=20, help="processor time for one run")
    parser.add_argument("--extern", action="append", default=[], help="packed functions to load")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    pairs = [p for p in json.loads((args.out / "pairs.json").read_text()) if args.only in p["name"]]
    runner = Runner(args.lathe, args.out, args.seconds, args.extern)
    given = pair_inputs.read_given()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = []
        for result in pool.map(lambda p: compare(p, runner, given, args.passes), pairs):
            results.append(result)
            if args.json:
                with args.json.open("a") as lines:
                    lines.write(json.dumps(result) + "\n")
    explained = read_explained()
    verdicts = collections.Counter(r["verdict"] for r in results)
    print(f"{len(results)} pairs: " + ", ".join(f"{n} {v}" for v, n in verdicts.most_common()))
    same = collections.Counter(r["verdict"] for r in results if r["same"])
    print("of a program with itself: " + ", ".join(f"{n} {v}" for v, n in same.most_common()))
    print(f"{sum(r['why'].startswith('in float32') for r in results)} agree in float32 only")
    reasons = collections.Counter(reason_kind(r["why"]) for r in results
                                  if r["verdict"] == "not executable")
    for reason, count in reasons.most_common():
        print(f"  {count:4} {reason}")
    bad = 0
    for r in results:
        reason = listed(explained, r["name"])
        if r["verdict"] == "differ" and reason is None:
            bad += 1
            print(f"DIFFERS {r['name']} ({r['test']}): {r['why'][:200]}")
        for name, verdict in r["passes"].items():
            bad += 1
            print(f"PASS {r['name']} {name}: {verdict[:200]}")
    differing = [r for r in results if r["verdict"] == "differ"]
    count = sum(1 for r in differing if listed(explained, r["name"]))
    print(f"{len(differing)} differ, {count} of them explained")
    if args.passes:
        print(f"{sum(r.get('applied', 0) for r in results)} runs after a pass, "
              f"{sum(len(r['passes']) for r in results)} of them not the same")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
