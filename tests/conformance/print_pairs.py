#!/usr/bin/env python3
"""Writes the pairs of harvest_pairs.py that need Python to run as TVM prints them.

    harvest_pairs.py CHECKOUT OUT
    print_pairs.py CHECKOUT OUT [--only TEXT]

Needs a Python with pytest and apache-tvm of the checkout's version. The tests that a pair with
features comes from are run, and each program that TVM's parser makes of a definition is kept with the
place of the definition. Where both programs of a pair were made, they take the pair's place in
OUT/pairs.json, as modules without features; a test with several parameters gives a pair for each, with
a number after its name. What builds and runs something is left out.
"""
import argparse
import ast
import collections
import json
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True

import pytest  # pylint: disable=wrong-import-position
import tvm  # pylint: disable=wrong-import-position
import tvm.relax.script.parser.entry as relax_entry  # pylint: disable=wrong-import-position
import tvm.script.parser.ir.entry as module_entry  # pylint: disable=wrong-import-position
import tvm.tirx.script.parser.entry as prim_entry  # pylint: disable=wrong-import-position
from tvm import relax  # pylint: disable=wrong-import-position
from tvm.script.parser.core.diagnostics import Source  # pylint: disable=wrong-import-position

import harvest_pairs  # pylint: disable=wrong-import-position

METADATA = re.compile(r'metadata\["[\w.]+"\]\[(\d+)\]')


class Recorder:
    """Keeps what is parsed while the tests of a file run, and writes down the pairs that they make."""

    def __init__(self, path, entries, found):
        self.path = path
        self.entries = entries
        self.found = found  # where a line goes for each pair: its name and both texts
        self.lines = first_lines(path)
        self.at_import = {}  # the first line of a definition -> programs
        self.now = self.at_import

    def parse(self, original):
        def listen(program, *args, **kwargs):
            made = original(program, *args, **kwargs)
            if not isinstance(program, str):
                source = Source(program)
                if source.source_name == str(self.path):
                    self.now.setdefault(source.start_line, []).append(made)
            return made

        return listen

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        self.now = {}
        try:
            return (yield)
        finally:
            with self.found.open("a") as lines:
                for entry in self.entries:
                    if item.originalname in entry["test"].split("."):
                        for pair in self.programs(entry):
                            lines.write(json.dumps([entry["name"], pair]) + "\n")
            self.now = self.at_import

    def programs(self, entry):
        """(before, expected) as text for each time that this test made both."""
        sides = []
        for role in ("before", "expected"):
            # TVM takes a class from its own line on and a function from its decorator.
            places = [entry[role]["line"], self.lines[entry[role]["line"]]]
            made = next((of[place] for of in (self.now, self.at_import) for place in places
                         if place in of), [])
            sides.append([text_of(m, entry[role]["name"]) for m in made])
        if len(sides[0]) == 1:
            sides[0] *= len(sides[1])
        if len(sides[1]) == 1:
            sides[1] *= len(sides[0])
        return list(zip(*sides)) if len(sides[0]) == len(sides[1]) else []


def text_of(made, name):
    """The program as the text of a module; a function alone is called `name` there."""
    if not isinstance(made, tvm.IRModule):
        made = tvm.IRModule({name: made.with_attr("global_symbol", name)})
    text = made.script(show_meta=False)
    constants = []

    def constant(node):
        if isinstance(node, relax.Constant) and node.data.shape:
            data = node.data.numpy()
            constants.append(f'R.const({data.tolist()}, "{data.dtype}")')

    for function in re.findall(r"^    def (\w+)\(", text, re.M):
        if isinstance(made[function], relax.Function):
            relax.analysis.post_order_visit(made[function], constant)
    return METADATA.sub(lambda match: constants[int(match.group(1))], text)


def program_of(text):
    """The program that harvest_pairs.py would find in a file of this text."""
    lines = [line.removeprefix("# ") + "\n" if line.startswith("# from tvm.") else
             line + "\n" for line in text.splitlines()]
    node = next(n for n in ast.parse("".join(lines)).body if isinstance(n, ast.ClassDef))
    imports = [line for line in lines if line.startswith("from tvm.")]
    return harvest_pairs.Program(node, "module", lines, imports, {})


def write(entry, sides, number, out):
    """The pair's entry for these two programs, whose files are written."""
    before, expected = (program_of(s) for s in sides)
    functions = harvest_pairs.matched(before, expected)
    name = entry["name"] + (f"-{number}" if number else "")
    made = {k: entry[k] for k in ("source", "test")}
    made |= {"name": name, "same": sides[0] == sides[1], "printed": True}
    for side, (role, program) in enumerate((("before", before), ("expected", expected))):
        published = [f[side] for f in functions]
        made[role] = program.describe(published) | {"line": entry[role]["line"], "features": []}
        made[role]["file"] = f"pairs/{name}.{role}.py"
        edits = [e for f in functions for e in harvest_pairs.renames(*f)] if side else []
        (out / made[role]["file"]).write_text(program.text(published, edits), encoding="utf8")
    for k, nodes in enumerate(functions):
        if harvest_pairs.renames(*nodes):
            for old, new in zip(made["expected"]["functions"][k]["params"],
                                made["before"]["functions"][k]["params"]):
                old[0] = new[0]
    return made


def first_lines(path):
    """Where the decorators of the definition at a line start."""
    return {n.lineno: min(d.lineno for d in n.decorator_list)
            for n in ast.walk(ast.parse(path.read_text(encoding="utf8")))
            if isinstance(n, (ast.ClassDef, ast.FunctionDef)) and n.decorator_list}


def run_tests(path, root, recorder):
    """Runs in a process of its own, which a test may end."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    for entry_point in (relax_entry, module_entry, prim_entry):
        entry_point.parse = recorder.parse(entry_point.parse)

    def skip(*_args, **_kwargs):
        pytest.skip("nothing is built")

    tvm.compile = tvm.relax.build = tvm.build = skip
    # The programs are wanted, not what is done to them, which may fail or end the process.
    tvm.ir.transform.Pass.__call__ = lambda _self, module: module
    tvm.ir.assert_structural_equal = lambda *_args, **_kwargs: None
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", "-W", "ignore", f"--rootdir={root}",
                 str(path)], plugins=[recorder])
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="", help="files whose names have this text")
    options = parser.parse_args()
    entries = json.loads((options.out / "pairs.json").read_text())
    root = (options.checkout / "tests" / "python").resolve()
    files = {}
    for entry in entries:
        if options.only in entry["source"] and (entry["before"]["features"]
                                                or entry["expected"]["features"]):
            files.setdefault(entry["source"], []).append(entry)
    lines = options.out / "printed.jsonl"
    lines.write_text("")
    for file, wanted in files.items():
        run_tests(root / file, root, Recorder(root / file, wanted, lines))
    found = collections.defaultdict(list)
    for line in lines.read_text().splitlines():
        name, pair = json.loads(line)
        if pair not in found[name]:
            found[name].append(pair)
    kept = []
    for entry in entries:
        try:
            kept += [write(entry, p, k, options.out)
                     for k, p in enumerate(found[entry["name"]])] or [entry]
        except (SyntaxError, StopIteration) as error:
            print(f"{entry['name']}: {error}", file=sys.stderr)
            kept.append(entry)
    (options.out / "pairs.json").write_text(json.dumps(kept, indent=1))
    left = sum(1 for e in kept if e["before"]["features"] or e["expected"]["features"])
    print(f"{sum('printed' in e for e in kept)} pairs as TVM prints them; {left} still need Python")


if __name__ == "__main__":
    main()
