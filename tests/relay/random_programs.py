#!/usr/bin/env python3
"""Generates Relay programs that are typed by construction, evaluates them here, and compares `lathe run`
and compiled C with the values: random_programs.py LATHE [--count N] [--seed S] [--no-build]

A program has several results, each the value of a random expression. Their types are numbers, tensors of static and
dynamic sizes, tuples, data types and functions. Data types, polymorphic and recursive functions, nested patterns,
references and shared graph variables occur in all of them. One program in eight may end with a match that no clause
fits; then the run has to fail.

With --oracle, TVM evaluates the programs too, in its interpreter of Relay; this needs a Python with such a TVM. Every
variable then has a name of its own, because TVM's scopes are not lexical.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

import random_prelude
from random_expressions import Generator, Unmatched
from random_tensors import INT

NOT_IN_TVM = "not evaluated by TVM"
SANITIZED = "-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all"


def make_program(rng, results, for_tvm=False):
    """Returns the text, the inputs, and the values of the results; None if no clause of a match fits."""
    generator = Generator(rng, unique=for_tvm, functions_in_data=not for_tvm)
    generator.may_fail = not for_tvm and rng.random() < 0.125
    inputs = {"a": rng.choice([0, 1, 5, -3, 40]), "b": rng.choice([0, 2, -1, 17])}
    scope = [(name, name, INT) for name in inputs]
    # References are evaluated in the order of the text, as in Python.
    parts = [generator.expression(INT, scope, rng.choice([2, 3, 4])) for _ in range(results)]
    lines = [f"  {binding}" for binding in generator.graph_bindings]
    lines += [f"  let %result{i} = {text};" for i, (text, _) in enumerate(parts)]
    names = ", ".join(f"%result{i}" for i in range(results))
    body = "\n".join(lines)
    text = f"{random_prelude.TEXT}def @main(%a: int32, %b: int32) {{\n{body}\n  ({names})\n}}\n"
    try:
        return text, inputs, [value(dict(inputs)) for _, value in parts]
    except Unmatched:
        return text, inputs, None


def write_npz(path, values):
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (), }"
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in values.items():
            archive.writestr(f"{name}.npy", start + struct.pack("<i", value))


def run(*command):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", "time limit of 600 s"


def check(options, folder, text, inputs, expected):
    """Returns what is wrong, or nothing."""
    file = folder / "program.relay"
    file.write_text(text)
    data = folder / "inputs.npz"
    write_npz(data, inputs)
    status, out, err = run(options.lathe, "run", file, "--input", data)
    if expected is None:
        return None if "no clause" in err else f"run: exit code {status}, expected a match without a clause\n{out}{err[:2000]}"
    if status != 0:
        return f"run: exit code {status}\n{err[:2000]}"
    values = [int(v) for v in re.findall(r"int32 \(\)\n\s*(-?\d+)", out)]
    if values != expected:
        return f"run: {values}, expected {expected}"
    if options.no_build:
        return None
    flags = ["--cflags", SANITIZED] if options.sanitize else []
    status, out, err = run(options.lathe, "validate", file, "--data", data, *flags)
    return None if status == 0 else f"validate: exit code {status}\n{(out + err)[-2000:]}"


def evaluate_in_tvm(text, inputs, expected):
    """Evaluates in a process of its own; returns what is wrong, or nothing."""
    import tvm
    from tvm import relay
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            errors = tempfile.TemporaryFile()
            os.dup2(errors.fileno(), 2)
            module = relay.parse(text)
            target = "llvm -mtriple=x86_64-linux-gnu"
            evaluate = relay.create_executor("debug", mod=module, device=tvm.cpu(), target=target).evaluate()
            arguments = [tvm.nd.array(__import__("numpy").int32(v)) for v in inputs.values()]
            values = [int(v.numpy()) for v in evaluate(*arguments)]
            message = "" if values == expected else f"TVM: {values}, expected {expected}"
        except BaseException as error:  # pylint: disable=broad-except
            message = f"TVM: {str(error)[-1500:]}"
        os.write(writer, message.encode()[:4000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        message = pipe.read()
    _, status = os.waitpid(child, 0)
    # TVM's analysis of devices has no functions in data types. Its check of well-formed programs refuses a `let` in a
    # graph variable that two scopes share, as if it bound its variable twice. Some operators have no shape function.
    if any(limit in message for limit in ("Device domains", "-malformed-ir", "cannot find ShapeFunc")):
        return NOT_IN_TVM
    return message or (f"TVM: status {status}" if status else None)


def check_seed(options, seed):
    text, inputs, expected = make_program(random.Random(seed), options.results, options.oracle)
    with tempfile.TemporaryDirectory() as name:
        wrong = check(options, pathlib.Path(name), text, inputs, expected)
    if wrong is None and options.oracle:
        wrong = evaluate_in_tvm(text, inputs, expected)
    if wrong == NOT_IN_TVM:
        options.not_in_tvm += 1
        return 0
    if wrong is None:
        return 0
    print(f"seed {seed}: {wrong}", flush=True)
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
        (pathlib.Path(options.keep) / f"{seed}.relay").write_text(text)
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lathe")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-build", action="store_true", help="do not compile the generated C")
    parser.add_argument("--sanitize", action="store_true", help="compile it with the address and undefined-behaviour sanitizers")
    parser.add_argument("--oracle", action="store_true", help="compare with TVM's interpreter of Relay")
    parser.add_argument("--keep", help="where programs that fail are kept")
    options = parser.parse_args()
    options.not_in_tvm = 0
    sys.setrecursionlimit(10000)
    seeds = range(options.seed, options.seed + options.count)
    if options.oracle or options.jobs == 1:
        failures = sum(check_seed(options, seed) for seed in seeds)
    else:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            failures = sum(pool.map(lambda seed: check_seed(options, seed), seeds))
    without = f", {options.not_in_tvm} {NOT_IN_TVM}" if options.oracle else ""
    print(f"{options.count} programs of {options.results} results each, {failures} failures{without}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
