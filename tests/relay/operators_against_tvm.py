#!/usr/bin/env python3
"""Compares calls of Relay's operators with TVM: operators_against_tvm.py LATHE [--compile] [--only TEXT] [--list FILE]

Runs the calls of operators_against_tvm.list in TVM's virtual machine for Relay and in `lathe run`, and compares dtypes,
shapes and values of the results. Integers are equal; floats are near. --compile also compares the generated C code.
Fails for an operator of TVM's registry that has fewer than two calls and is not refused by name.
Needs a Python with a TVM that still has Relay (0.7 to 0.18); without one the test is skipped.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

try:
    import numpy
    import tvm
    from tvm import relay
except ImportError:
    relay = None

HERE = pathlib.Path(__file__).parent
TARGET = "llvm -mtriple=x86_64-linux-gnu"
TOLERANCE = {"float16": 2e-3, "float32": 2e-5, "float64": 2e-5}
# Their exact values are TVM's approximations, within 1e-5 of the function.
APPROXIMATE = {"fast_exp": 1e-4, "fast_tanh": 1e-4, "fast_erf": 1e-4, "nn.fast_softmax": 1e-4}
TYPE = re.compile(r"(\w+)\(([\d,]*)\)(?::(\S+)\.\.(\S+)|=(\S+))?$")


class Call:
    """One call: an operator, an expression, its parameters and its constants."""

    def __init__(self, line, operator, expression, values):
        self.line, self.operator = line, operator
        self.expression = re.sub(r"\{(\w+)\}", r'attrs_type_key="relay.attrs.\1Attrs"', expression.replace("$", operator))
        given, _, constants = values.partition("/")
        # Values depend on the call alone, so that a failure is the same one alone.
        self.random = numpy.random.default_rng(zlib.crc32((operator + expression + values).encode()))
        self.parameters = [self.parse_type(t) for t in re.split(r"\s*;\s*", given.strip()) if t]
        self.constants = [self.array(t) for t in re.split(r"\s*;\s*", constants.strip()) if t]

    def parse_type(self, text):
        if text.startswith("("):
            return tuple(self.array(t) for t in re.findall(r"\w+\([\d,]*\)", text))
        return self.array(text)

    def array(self, text):
        found = TYPE.match(text.strip())
        if not found:
            raise SystemExit(f"line {self.line}: '{text}' is no type")
        dtype, dims, low, high, values = found.groups()
        shape = tuple(int(d) for d in dims.split(",") if d)
        if values is not None:
            return numpy.array([float(v) if "float" in dtype else int(v) for v in values.split(",")]).astype(dtype).reshape(shape)
        if dtype == "bool":
            return self.random.integers(0, 2, shape).astype(bool)
        if "int" in dtype:
            low, high = (int(low), int(high)) if low else (0 if dtype[0] == "u" else -9, 9)
            return numpy.asarray(self.random.integers(low, high, shape, endpoint=True)).astype(dtype)
        if low:
            return numpy.asarray(self.random.uniform(float(low), float(high), shape)).astype(dtype)
        return numpy.asarray(self.random.normal(0, 1.5, shape)).astype(dtype)

    def text(self):
        if self.expression.startswith("="):
            names = {chr(97 + i): relay.var(chr(97 + i), shape=p.shape, dtype=str(p.dtype)) for i, p in enumerate(self.parameters)}
            made = eval(self.expression[1:], {"relay": relay, **names})  # pylint: disable=eval-used
            return tvm.IRModule.from_expr(relay.Function(list(names.values()), made)).astext()
        def type_of(value):
            if isinstance(value, tuple):
                return "(" + ", ".join(type_of(v) for v in value) + ")"
            return f"Tensor[({', '.join(str(d) for d in value.shape)}), {value.dtype}]"
        params = ", ".join(f"%{chr(97 + i)}: {type_of(p)}" for i, p in enumerate(self.parameters))
        text = f'#[version = "0.0.5"]\ndef @main({params}) {{ {self.expression} }}\n'
        if self.constants:
            # TVM's printer writes the section with the constants.
            shown = relay.Tuple([relay.const(c) for c in self.constants]).astext(show_meta_data=True)
            text += shown[shown.index("#[metadata]"):]
        return text


def flatten(value):
    if isinstance(value, (tuple, list)) or hasattr(value, "__len__") and not hasattr(value, "numpy"):
        return [a for v in value for a in flatten(v)]
    return [value.numpy()]


def run_in_tvm(call, text, file):
    """Evaluates in a process of its own, because some calls end the process; returns an error or nothing."""
    child = os.fork()
    if child == 0:
        sys.stderr = open(f"{file}.err", "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), 2)
        try:
            module = relay.parse(text)
            run = relay.create_executor("vm", mod=module, device=tvm.cpu(), target=TARGET).evaluate()
            arguments = [tuple(tvm.nd.array(v) for v in p) if isinstance(p, tuple) else p for p in call.parameters]
            numpy.savez(file, *flatten(run(*arguments)))
        except BaseException as error:  # pylint: disable=broad-except
            lines = [line for line in str(error).splitlines() if re.search(r"rror|Check|expected|must", line)]
            sys.stderr.write("\n" + (lines or str(error).splitlines() or ["no message"])[-1] + "\n")
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status == 0:
        return None
    lines = pathlib.Path(f"{file}.err").read_text(errors="replace").strip().splitlines()
    return f"status {status}: {lines[-1] if lines else ''}"


def difference(got, want, tolerance):
    if got.dtype != want.dtype:
        return f"dtype {got.dtype}, expected {want.dtype}"
    if got.shape != want.shape:
        return f"shape {got.shape}, expected {want.shape}"
    if want.dtype.kind == "f":
        same = numpy.isclose(got.astype("float64"), want.astype("float64"), rtol=tolerance, atol=tolerance, equal_nan=True)
    else:
        same = got == want
    if same.all():
        return None
    if got.size <= 16:
        return f"{got.tolist()}, expected {want.tolist()}"
    at = tuple(int(i) for i in numpy.argwhere(~same)[0])
    return f"{int((~same).sum())} of {got.size} differ: {got[at]} at {list(at)}, expected {want[at]}"


def compare(options, call, folder):
    """Returns a verdict and a message."""
    text = call.text()
    file = folder / "call.relay"
    file.write_text(text)
    failed = run_in_tvm(call, text, folder / "tvm.npz")
    named = {}
    for i, value in enumerate(call.parameters):
        parts = value if isinstance(value, tuple) else [value]
        for j, part in enumerate(parts):
            named[chr(97 + i) + (f".{j}" if isinstance(value, tuple) else "")] = part
    numpy.savez(folder / "inputs.npz", **named)
    given = ["--input", str(folder / "inputs.npz")] if named else []
    done = subprocess.run([options.lathe, "run", str(file), "-o", str(folder / "results.npz"), *given], capture_output=True, text=True)
    if failed:
        return ("only by Lathe" if done.returncode == 0 else "by neither"), failed + " | " + done.stderr.strip().split("\n")[0]
    if done.returncode != 0:
        return "refused", done.stderr.strip().split("\n")[0]
    with numpy.load(folder / "tvm.npz") as want, numpy.load(folder / "results.npz") as got:
        if len(got.files) != len(want.files):
            return "wrong", f"{len(got.files)} results, expected {len(want.files)}"
        for name, i in zip(got.files, range(len(want.files))):
            expected = want[f"arr_{i}"]
            found = difference(got[name], expected, APPROXIMATE.get(call.operator, TOLERANCE.get(str(expected.dtype), 0)))
            if found:
                return "wrong", f"{name}: {found}"
    if options.compile:
        given = ["--data", str(folder / "inputs.npz")] if named else []
        done = subprocess.run([options.lathe, "validate", str(file), "--cflags", "-O0", *given], capture_output=True, text=True)
        if done.returncode != 0:
            return "wrong in C", (done.stdout + done.stderr)[-400:]
    return "equal", ""


def calls_of(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        operators, expression, values = (part.strip() for part in line.split("|"))
        for operator in operators.split():
            yield Call(number, operator, expression, values)


def uncovered(counts):
    """Operators of TVM's registry without two calls that Lathe does not refuse by name."""
    listed = (HERE.parents[1] / "docs" / "relay-operators.md").read_text()
    refused = re.findall(r"(?m)^\| (\S+) \|", listed[listed.index("## Refused"):])
    names = set((HERE / "operators.list").read_text().split()) & set(tvm.ir.Op.list_op_names())
    return sorted(n for n in names if counts.get(n, 0) < 2 and n not in refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lathe")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--only", default="", help="calls whose text contains this")
    parser.add_argument("--list", metavar="FILE", help="where the calls that are not equal are listed")
    options = parser.parse_args()
    if relay is None:
        print("skipped: no TVM with Relay")
        return 0
    verdicts, counts, lines = {}, {}, []
    for call in calls_of(HERE / "operators_against_tvm.list"):
        counts[call.operator] = counts.get(call.operator, 0) + 1
        if options.only not in f"{call.operator} {call.expression}":
            continue
        with tempfile.TemporaryDirectory() as folder:
            verdict, message = compare(options, call, pathlib.Path(folder))
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
        if verdict != "equal":
            lines.append(f"{verdict}: line {call.line}: {call.expression}: {message[:600]}")
            print(lines[-1], flush=True)
    if options.list:
        pathlib.Path(options.list).write_text("".join(line + "\n" for line in lines))
    few = [] if options.only else uncovered(counts)
    if few:
        print("operators with fewer than two calls: " + " ".join(few))
    print(", ".join(f"{n} {v}" for v, n in sorted(verdicts.items())) + f"; {len(counts)} operators")
    return 1 if few or set(verdicts) - {"equal", "only by Lathe", "by neither"} else 0


if __name__ == "__main__":
    sys.exit(main())
