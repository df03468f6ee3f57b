#!/usr/bin/env python3
"""Writes the before/expected pairs of programs in a checkout of apache/tvm, each to files of its own.

    harvest_pairs.py CHECKOUT OUT

A pair is two programs (definitions as harvest_tvmscript.py knows them) that a test compares: it calls
one thing with both, or with what it computed from one and with the other. Where a test class or
function compares nothing itself, its programs named before and expected are a pair. Which program a
variable comes from is read off the assignments of the test, in order; nothing is run. A program
against itself (a pass must leave it alone) is a pair of one program.

OUT/pairs has the programs with the imports that their files make. Literals that the test around a
program names are put in their places, and private functions lose that mark where a pair has no public
one in common, since only public ones can be run; a function of a module has its name as global_symbol.
OUT/pairs.json says of each pair

    name, source, test          where it is from: tests and lines
    before, expected            of each its file, its kind, the functions to compare, in the same
                                order, with their parameters, and the features that need Python to
                                run, as harvest_tvmscript.py says
    same                        both are one program
"""
import argparse
import ast
import json
import pathlib
import re
import sys

import harvest_tvmscript as tvmscript

BEFORE = re.compile(r"(before|input|original)\w*$|(mod|module|\w+_before)$", re.I)
EXPECTED = re.compile(r"(expected|after|expect|output)\w*$|\w+_(after|expected)$", re.I)
# Calls with several programs that do not compare them.
NOT_COMPARING = re.compile(r"assert_(?!.*structural)|print|append|update|verify_trace_roundtrip")
# Tests of other things than of what is done to programs.
OTHER_TESTS = re.compile(r"tvmscript/|tirx/(test_|codegen)|.*/analysis/|.*test_tvmscript_|codegen/")


class Program:
    """One definition, the constants that it may name, and the text before it."""

    def __init__(self, node, kind, lines, imports, constants):
        self.node, self.kind, self.lines = node, kind, lines
        self.imports = "".join(imports)
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)
                and isinstance(n.ctx, ast.Load)}
        bound = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)
                 and isinstance(n.ctx, ast.Store)} | {n.arg for n in ast.walk(node)
                                                      if isinstance(n, ast.arg)}
        self.constants = {k: v for k, v in constants.items() if k in used - bound}
        self.features = [f for f in tvmscript.host_features(node)
                         if f.removeprefix("name ") not in self.constants]

    def functions(self):
        """(definition, decorator, is private) of each function that can be called by name."""
        nodes = self.node.body if isinstance(self.node, ast.ClassDef) else [self.node]
        for node in nodes:
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                mark = node.decorator_list[0]
                keywords = mark.keywords if isinstance(mark, ast.Call) else []
                private = [k for k in keywords if k.arg == "private"
                           and ast.unparse(k.value) == "True"]
                yield node, mark, private[0] if private else None

    def text(self, published, renamed):
        """The program, with the functions `published` public, and these nodes named otherwise."""
        edits = list(renamed)
        for node in ast.walk(self.node):
            if (isinstance(node, ast.Name) and node.id in self.constants
                    and isinstance(node.ctx, ast.Load)):
                edits.append((node, repr(self.constants[node.id])))
        for function, mark, private in self.functions():
            if private is not None and function in published:
                edits.append((private, "private=False"))
            if self.kind == "module":
                edits += [(symbol, repr(function.name)) for symbol in symbols(function)]
        lines = list(self.lines)
        for node, text in sorted(edits, key=lambda e: (e[0].lineno, e[0].col_offset), reverse=True):
            line = lines[node.lineno - 1].encode()
            end = node.end_col_offset
            if isinstance(node, ast.arg):
                end = node.col_offset + len(node.arg.encode())
            elif isinstance(node, ast.FunctionDef):
                text, end = f"def {text}", node.col_offset + len(f"def {node.name}".encode())
            lines[node.lineno - 1] = (line[:node.col_offset] + text.encode() + line[end:]).decode()
        first = min(d.lineno for d in self.node.decorator_list)
        body = tvmscript.textwrap.dedent("".join(lines[first - 1:self.node.end_lineno]))
        return self.imports + "\n" + body

    def describe(self, published):
        functions = []
        for node in published:
            mark = ast.unparse(node.decorator_list[0]).split("(")[0]
            functions.append({
                "name": called(self, node),
                "kind": "prim_func" if mark.endswith("prim_func") else "relax",
                "params": parameters(node),
            })
        return {"kind": self.kind, "line": self.node.lineno, "name": self.node.name,
                "functions": functions, "features": self.features}


def symbols(function):
    """The global_symbol that a function is said to have; in a module it must be the function's name."""
    for item in ast.walk(function):
        for key, value in zip(item.keys, item.values) if isinstance(item, ast.Dict) else []:
            if (isinstance(key, ast.Constant) and key.value == "global_symbol"
                    and isinstance(value, ast.Constant) and value.value != function.name):
                yield value


def called(program, node):
    """The name that a function is run by: one alone has that of its global_symbol."""
    symbol = re.search(r"""func_attr\(\{.*?['"]global_symbol['"]: ['"](\w+)['"]""",
                       ast.unparse(node), re.S)
    return symbol[1] if symbol and program.kind != "module" else node.name


def parameters(node):
    """[name, annotation] of each parameter; a matched handle is the buffer that it is matched with."""
    found = [[a.arg, ast.unparse(a.annotation) if a.annotation else ""] for a in node.args.args]
    for item in ast.walk(node):
        if (isinstance(item, ast.Assign) and isinstance(item.value, ast.Call)
                and ast.unparse(item.value.func).endswith("match_buffer")
                and isinstance(item.targets[0], ast.Name) and item.value.args):
            handle = ast.unparse(item.value.args[0])
            for param in found:
                if param[0] == handle:
                    rest = ", ".join(ast.unparse(a) for a in item.value.args[1:])
                    param[:] = [item.targets[0].id, f"T.Buffer({rest})"]
    return found


def renames(before, expected):
    """Returns the renames in `expected` that give its parameters the random values of those of `before`."""
    old, new = [p[0] for p in parameters(expected)], [p[0] for p in parameters(before)]
    names = {n.id for n in ast.walk(expected) if isinstance(n, ast.Name)} | set(old)
    change = {o: n for o, n in zip(old, new) if o != n}
    if len(old) != len(new):
        return []
    for taken in names.intersection(change.values()) - set(change):
        change[taken] = taken + "_inside"
    return [(n, change[key]) for n in ast.walk(expected)
            for key in [getattr(n, "id", getattr(n, "arg", None))]
            if isinstance(n, (ast.Name, ast.arg)) and key in change]


def matched(before, expected):
    """Returns the pairs of functions to compare: with equal names, or the only one of a side."""
    sides = [[(f, private) for f, _, private in p.functions()] for p in (before, expected)]
    names = [{f.name: (f, private) for f, private in side} for side in sides]
    found = [(names[0][n], names[1][n]) for n in names[0] if n in names[1]]
    if not found and before.kind != "module" and expected.kind != "module":
        found = [(sides[0][0], sides[1][0])]
    elif not found:
        # A single function corresponds to the public or only one of a module.
        callable_ = [[f for f in side if f[1] is None] or side for side in sides]
        if len(callable_[0]) == len(callable_[1]) == 1:
            found = [(callable_[0][0], callable_[1][0])]
        elif "main" in names[0] and len(sides[1]) == 1:
            found = [(names[0]["main"], sides[1][0])]
    public = [(f, g) for f, g in found if f[1] is None and g[1] is None]
    return [(f[0], g[0]) for f, g in public or found]


class Scopes:
    """Reads a file for pairs."""

    def __init__(self, path, source):
        self.path = path
        self.lines = source.splitlines(keepends=True)
        self.pairs = []  # (test, before, expected)

    def module(self, tree):
        self.scope(tree.body, {}, {}, [], "")

    def scope(self, body, outer, constants, imports, test):
        """Reads the body of a test, class or function; gives the programs that it returns."""
        env, own, constants, imports = dict(outer), {}, dict(constants), list(imports)
        count = len(self.pairs)
        self.statements(body, env, own, constants, imports, test)
        if len(self.pairs) == count and test:
            befores = [p for name, p in own.items() if BEFORE.match(name)]
            expecteds = [p for name, p in own.items() if EXPECTED.match(name)]
            if len(befores) == 1:
                for expected in expecteds:
                    self.pairs.append((test, befores[0], expected))
        returned = [self.origins(n.value, env) for n in body if isinstance(n, ast.Return) and n.value]
        return returned[0] if len(returned) == 1 else set()

    def statements(self, body, env, own, constants, imports, test):
        for node in body:
            if tvmscript.is_script_import(node):
                imports.append(tvmscript.textwrap.dedent(
                    "".join(self.lines[node.lineno - 1:node.end_lineno])))
            elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                kind, _ = tvmscript.decorator(node)
                if kind:
                    program = Program(node, kind, self.lines, imports, constants)
                    env[node.name] = {program}
                    own[node.name] = program
                else:
                    inner = test + "." + node.name if test else node.name
                    env[node.name] = self.scope(node.body, env, constants, imports, inner)
            elif isinstance(node, ast.Assign):
                self.assign(node, env, own, constants)
            elif isinstance(node, (ast.Expr, ast.Assert)):
                self.compared(node, env, test)
            elif isinstance(node, ast.With) and any(
                    "raises" in ast.unparse(i.context_expr) for i in node.items):
                continue
            else:
                for field in ("body", "orelse", "finalbody"):
                    self.statements(getattr(node, field, []) or [], env, own, constants, imports,
                                    test)

    def assign(self, node, env, own, constants):
        origins = self.origins(node.value, env)
        for target in node.targets:
            for name in ast.walk(target):
                if not isinstance(name, ast.Name):
                    continue
                env[name.id] = origins
                constants.pop(name.id, None)
                if isinstance(node.value, ast.Name) and len(origins) == 1:
                    own[name.id] = next(iter(origins))
        target = node.targets[0]
        if isinstance(target, ast.Name):
            try:
                value = ast.literal_eval(node.value)
            except ValueError:
                return
            if isinstance(value, (int, float, str, tuple)):
                constants[target.id] = value

    @staticmethod
    def origins(node, env):
        found = set()
        for item in ast.walk(node):
            if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load):
                found |= env.get(item.id, set())
            elif isinstance(item, ast.Attribute) and ast.unparse(item.value) in ("self", "cls"):
                found |= env.get(item.attr, set())
        return found

    def compared(self, node, env, test):
        negated = isinstance(node, ast.Assert) and isinstance(node.test, ast.UnaryOp)
        calls = [c for c in ast.walk(node) if isinstance(c, ast.Call)]
        if negated or not calls or not test:
            return
        call = calls[0]
        name = ast.unparse(call.func).split(".")[-1]
        if NOT_COMPARING.match(name):
            return
        arguments = [self.origins(a, env)
                     for a in list(call.args) + [k.value for k in call.keywords]]
        programs = [next(iter(a)) for a in arguments if len(a) == 1]
        if len(programs) < 2:
            return
        first = programs[0]
        if EXPECTED.match(first.node.name) and BEFORE.match(programs[1].node.name):
            first, programs = programs[1], [programs[1], first] + programs[2:]
        others = programs[1:]
        # Programs named after a pass or kernel are not results.
        named = [p for p in others if EXPECTED.match(p.node.name)]
        if not named and not BEFORE.match(first.node.name) and len(others) > 1:
            # The input of a transform comes first, then its output.
            first, others = others[-2], others[-1:]
        for other in named or others:
            if not any(p[1] is first and p[2] is other for p in self.pairs):
                self.pairs.append((test, first, other))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    root = args.checkout / "tests" / "python"
    folder = args.out / "pairs"
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for path in sorted(root.rglob("*.py")):
        source = path.read_text(encoding="utf8")
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        relative = path.relative_to(root).as_posix()
        if OTHER_TESTS.match(relative):
            continue
        scopes = Scopes(relative, source)
        scopes.module(tree)
        for test, before, expected in scopes.pairs:
            stem = relative[:-3].replace("/", ".")
            name = f"{stem}.{before.node.lineno}.{expected.node.lineno}"
            functions = matched(before, expected)
            entry = {"name": name, "source": relative, "test": test, "same": before is expected}
            for side, (role, program) in enumerate((("before", before), ("expected", expected))):
                published = [f[side] for f in functions]
                entry[role] = program.describe(published)
                entry[role]["file"] = f"pairs/{name}.{role}.py"
                edits = [e for f in functions for e in renames(*f)] if side else []
                edits += [(f, called(program, f)) for f in published]
                (args.out / entry[role]["file"]).write_text(program.text(published, edits),
                                                            encoding="utf8")
            for k, nodes in enumerate(functions):
                if renames(*nodes):
                    for old, new in zip(entry["expected"]["functions"][k]["params"],
                                        entry["before"]["functions"][k]["params"]):
                        old[0] = new[0]
            found.append(entry)
    (args.out / "pairs.json").write_text(json.dumps(found, indent=1))
    pure = [p for p in found if not p["before"]["features"] and not p["expected"]["features"]]
    print(f"{len(found)} pairs, {sum(p['same'] for p in found)} of one program; "
          f"{len(pure)} need no Python")


if __name__ == "__main__":
    main()
