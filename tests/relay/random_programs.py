#!/usr/bin/env python3
"""Generates Relay programs that are typed by construction, evaluates them here, and compares `lathe run`
and compiled C with the values: random_programs.py LATHE [--count N] [--seed S] [--no-build]

A program has several results, each the value of a random expression over int32 scalars, tuples, lists,
options, trees, closures and references. Data types, polymorphic and recursive functions, nested patterns
and shared graph variables occur in all of them.
"""
import argparse
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

PRELUDE = """#[version = "0.0.5"]
type List[A] { Cons(A, List[A]), Nil }
type Option[A] { Some(A), None }
type Tree[A] { Rose(A, List[Tree[A]]) }
type Colour { Red, Green(int32), Blue(int32, Colour) }
def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {
  match (%l) { Cons(%x, %t) => Cons(%f(%x), @map(%f, %t)), Nil => Nil }
}
def @foldl[A, B](%f: fn (A, B) -> A, %z: A, %l: List[B]) -> A {
  match (%l) { Cons(%x, %t) => @foldl(%f, %f(%z, %x), %t), Nil => %z }
}
def @foldr[A, B](%f: fn (A, B) -> B, %z: B, %l: List[A]) -> B {
  match (%l) { Cons(%x, %t) => %f(%x, @foldr(%f, %z, %t)), Nil => %z }
}
def @filter[A](%p: fn (A) -> bool, %l: List[A]) -> List[A] {
  match (%l) {
    Cons(%x, %t) => if (%p(%x)) { Cons(%x, @filter(%p, %t)) } else { @filter(%p, %t) },
    Nil => Nil
  }
}
def @zip[A, B](%l: List[A], %m: List[B]) -> List[(A, B)] {
  match (%l, %m) { (Cons(%x, %t), Cons(%y, %u)) => Cons((%x, %y), @zip(%t, %u)), _ => Nil }
}
def @upto(%n: int32) -> List[int32] { if (%n > 0) { Cons(%n, @upto(%n - 1)) } else { Nil } }
def @compose[A, B, C](%f: fn (B) -> C, %g: fn (A) -> B) -> fn (A) -> C { fn (%x: A) -> C { %f(%g(%x)) } }
def @twice[A](%f: fn (A) -> A, %x: A) -> A { %f(%f(%x)) }
def @swap[A, B](%p: (A, B)) -> (B, A) { (%p.1, %p.0) }
def @even(%n: int32) -> bool { if (%n <= 0) { True } else { @odd(%n - 1) } }
def @odd(%n: int32) -> bool { if (%n <= 0) { False } else { @even(%n - 1) } }
def @treesum(%t: Tree[int32]) -> int32 {
  match (%t) {
    Rose(%x, %c) => %x + @foldl(fn (%a: int32, %b: Tree[int32]) -> int32 { %a + @treesum(%b) }, 0, %c)
  }
}
"""

INT, BOOL, COLOUR = ("int",), ("bool",), ("colour",)


def wrap(value):
    return (value + 2**31) % 2**32 - 2**31


def show(type_):
    kind = type_[0]
    if kind == "int":
        return "int32"
    if kind == "bool":
        return "bool"
    if kind == "colour":
        return "Colour"
    if kind == "tuple":
        return "(" + ", ".join(show(t) for t in type_[1:]) + ("," if len(type_) == 2 else "") + ")"
    if kind == "fn":
        return f"fn ({', '.join(show(t) for t in type_[1])}) -> {show(type_[2])}"
    return f"{kind.capitalize()}[{show(type_[1])}]"


class Cell:
    def __init__(self, value):
        self.value = value


class Generator:
    """Expressions are pairs of text and a function from an environment to the value.

    A scope is a list of (name in the text, key in the environment, type); later entries hide earlier
    ones. Keys are unique.
    """

    def __init__(self, rng):
        self.rng = rng
        self.keys = 0
        self.graph_vars = 0

    def key(self):
        self.keys += 1
        return self.keys

    def random_type(self, depth=2):
        choices = [INT] * 5 + [BOOL, COLOUR]
        if depth > 0:
            inner = lambda: self.random_type(depth - 1)
            choices += [("list", inner()), ("list", INT), ("option", inner()), ("tree", INT),
                        ("tuple", inner(), inner()), ("fn", (INT,), inner())]
        return self.rng.choice(choices)

    def visible(self, scope, type_):
        seen, found = set(), []
        for name, key, t in reversed(scope):
            if name not in seen and t == type_:
                found.append((name, key))
            seen.add(name)
        return found

    def expression(self, type_, scope, depth):
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(type_, scope, depth)
        makers = [self.variable, self.let, self.branch, self.match_value, self.block_of_graph, self.call_literal]
        makers += {"int": [self.arithmetic] * 4 + [self.fold, self.tree_sum, self.project, self.cell, self.choose],
                   "bool": [self.compare] * 3 + [self.parity],
                   "list": [self.map_list, self.cons, self.filter_list, self.zip_list],
                   "tuple": [self.leaf, self.swap],
                   "fn": [self.function, self.compose]}.get(type_[0], [self.leaf])
        for _ in range(4):
            made = self.rng.choice(makers)(type_, scope, depth)
            if made is not None:
                return made
        return self.leaf(type_, scope, depth)

    # Values without subexpressions, or with small ones.
    def leaf(self, type_, scope, depth):
        kind, rng = type_[0], self.rng
        found = self.visible(scope, type_)
        if found and rng.random() < 0.7:
            name, key = rng.choice(found)
            return f"%{name}", lambda env: env[key]
        small = depth - 1
        sub = lambda t: self.expression(t, scope, small if small > 0 and rng.random() < 0.5 else 0)
        if kind == "int":
            value = rng.choice([0, 1, 2, 3, 7, -1, -5, 100, 2**31 - 1, rng.randrange(-50, 50)])
            return (f"{value}" if value >= 0 else f"(0 - {-value})"), lambda env: value
        if kind == "bool":
            value = rng.random() < 0.5
            return str(value), lambda env: value
        if kind == "colour":
            which = rng.randrange(3) if depth > -3 else 0
            if which == 0:
                return "Red", lambda env: ("Red",)
            text, value = sub(INT)
            if which == 1:
                return f"Green({text})", lambda env: ("Green", value(env))
            other_text, other = self.leaf(COLOUR, scope, depth - 2)
            return f"Blue({text}, {other_text})", lambda env: ("Blue", value(env), other(env))
        if kind == "tuple":
            parts = [sub(t) for t in type_[1:]]
            return f"({', '.join(p[0] for p in parts)})", lambda env: tuple(p[1](env) for p in parts)
        if kind == "list":
            parts = [sub(type_[1]) for _ in range(rng.choice([0, 1, 2, 3]))]
            text = "Nil"
            for part in reversed(parts):
                text = f"Cons({part[0]}, {text})"
            if not parts:
                text = f"@filter(fn (%none: {show(type_[1])}) -> bool {{ False }}, Nil)"
            return text, lambda env: [p[1](env) for p in parts]
        if kind == "option":
            if rng.random() < 0.3:
                key = self.key()
                typed = f"(let %e{key}: Option[{show(type_[1])}] = None; %e{key})"
                return typed, lambda env: ("None",)
            text, value = sub(type_[1])
            return f"Some({text})", lambda env: ("Some", value(env))
        if kind == "tree":
            text, value = sub(type_[1])
            children = [self.leaf(type_, scope, depth - 2) for _ in range(rng.choice([0, 0, 1, 2]) if depth > 0 else 0)]
            listed = "Nil"
            for child in reversed(children):
                listed = f"Cons({child[0]}, {listed})"
            return f"Rose({text}, {listed})", lambda env: ("Rose", value(env), [c[1](env) for c in children])
        return self.function(type_, scope, 1)

    def variable(self, type_, scope, depth):
        found = self.visible(scope, type_)
        if not found:
            return None
        name, key = self.rng.choice(found)
        return f"%{name}", lambda env: env[key]

    def bind(self, scope, type_, value_text=""):
        # Few names, so that bindings hide others. A function that is bound sees its own name, so its text
        # must not mean an outer variable by it.
        name, key = self.rng.choice("abcdefgh") + self.rng.choice(["", "1", "2"]), self.key()
        if re.search(rf"%{name}\b", value_text):
            name = f"own{key}"
        return name, key, scope + [(name, key, type_)]

    def let(self, type_, scope, depth):
        bound = self.random_type()
        text, value = self.expression(bound, scope, depth - 1)
        name, key, inner = self.bind(scope, bound, text if text.startswith("fn ") else "")
        body_text, body = self.expression(type_, inner, depth - 1)
        note = f": {show(bound)}" if self.rng.random() < 0.5 else ""
        return (f"(let %{name}{note} = {text}; {body_text})",
                lambda env: body({**env, key: value(env)}))

    def block_of_graph(self, type_, scope, depth):
        # A graph variable that several expressions share, some of them in branches or functions.
        bound = self.random_type(1)
        text, value = self.expression(bound, scope, depth - 1)
        self.graph_vars += 1
        name, key = str(self.graph_vars), self.key()
        body_text, body = self.expression(type_, scope + [(name, key, bound)], depth - 1)
        return (f"(%{name} = {text}; {body_text})",
                lambda env: body({**env, key: value(env)}))

    def branch(self, type_, scope, depth):
        cond_text, cond = self.expression(BOOL, scope, depth - 1)
        then_text, then = self.expression(type_, scope, depth - 1)
        else_text, other = self.expression(type_, scope, depth - 1)
        return (f"if ({cond_text}) {{ {then_text} }} else {{ {else_text} }}",
                lambda env: then(env) if cond(env) else other(env))

    def call_literal(self, type_, scope, depth):
        text, value = self.expression(INT, scope, depth - 1)
        name, key, inner = self.bind(scope, INT)
        body_text, body = self.expression(type_, inner, depth - 1)
        return f"fn (%{name}: int32) {{ {body_text} }}({text})", lambda env: body({**env, key: value(env)})

    # Patterns: (text, names, match function, irrefutable).
    def pattern(self, type_, depth, taken):
        rng, kind = self.rng, type_[0]
        if rng.random() < 0.2 or depth == 0 and rng.random() < 0.6:
            return "_", [], lambda v, env: env, True
        if rng.random() < 0.4 or kind in ("int", "bool", "fn") or depth == 0:
            free = [n for n in "pqrstuvw" if n not in taken]
            if not free:
                return "_", [], lambda v, env: env, True
            name, key = rng.choice(free), self.key()
            taken.add(name)
            return f"%{name}", [(name, key, type_)], lambda v, env: {**env, key: v}, True
        if kind == "tuple":
            return self.fields("", [(t, lambda v, i=i: v[i]) for i, t in enumerate(type_[1:])], lambda v: True, depth, taken)
        constructors = {
            "list": lambda: [("Nil", [], lambda v: not v), ("Cons", [(type_[1], lambda v: v[0]), (type_, lambda v: v[1:])], bool)],
            "option": lambda: [("None", [], lambda v: v[0] == "None"), ("Some", [(type_[1], lambda v: v[1])], lambda v: v[0] == "Some")],
            "tree": lambda: [("Rose", [(type_[1], lambda v: v[1]), (("list", type_), lambda v: v[2])], lambda v: True)],
            "colour": lambda: [("Red", [], lambda v: v[0] == "Red"), ("Green", [(INT, lambda v: v[1])], lambda v: v[0] == "Green"),
                               ("Blue", [(INT, lambda v: v[1]), (COLOUR, lambda v: v[2])], lambda v: v[0] == "Blue")],
        }[kind]()
        name, parts, test = rng.choice(constructors)
        if kind != "tree":
            text, names, match, _ = self.fields(name, parts, test, depth, taken)
            return text, names, match, False
        return self.fields(name, parts, test, depth, taken)

    def fields(self, name, parts, test, depth, taken):
        subs = [(self.pattern(t, depth - 1, taken), get) for t, get in parts]
        text = name + (f"({', '.join(p[0] for p, _ in subs)})" if subs else "")

        def match(v, env):
            if not test(v):
                return None
            for (_, _, sub, _), get in subs:
                env = sub(get(v), env)
                if env is None:
                    return None
            return env
        return text, [n for p, _ in subs for n in p[1]], match, all(p[3] for p, _ in subs)

    def match_value(self, type_, scope, depth):
        rng = self.rng
        kinds = [("list", self.random_type(1)), ("option", self.random_type(1)), COLOUR, ("tree", INT),
                 ("tuple", ("list", INT), ("option", INT)), ("tuple", COLOUR, COLOUR)]
        bound = rng.choice(kinds)
        text, value = self.expression(bound, scope, depth - 1)
        arms = []
        for _ in range(rng.choice([1, 2, 3])):
            pattern = self.pattern(bound, 2, set())
            arms.append((pattern, self.expression(type_, scope + pattern[1], depth - 2)))
            if pattern[3]:
                break
        else:
            arms.append((("_", [], lambda v, env: env, True), self.expression(type_, scope, depth - 2)))

        def evaluate(env):
            v = value(env)
            for (_, _, match, _), (_, body) in arms:
                inner = match(v, env)
                if inner is not None:
                    return body(inner)
            raise AssertionError("no clause")
        shown = ", ".join(f"{p[0]} => {body[0]}" for p, body in arms)
        return f"(match ({text}) {{ {shown} }})", evaluate

    # Integers.
    def arithmetic(self, type_, scope, depth):
        op = self.rng.choice(["+", "-", "*", "maximum", "minimum"])
        (a_text, a), (b_text, b) = (self.expression(INT, scope, depth - 1) for _ in range(2))
        compute = {"+": lambda x, y: wrap(x + y), "-": lambda x, y: wrap(x - y), "*": lambda x, y: wrap(x * y),
                   "maximum": max, "minimum": min}[op]
        text = f"{op}({a_text}, {b_text})" if op.isalpha() else f"({a_text} {op} {b_text})"
        return text, lambda env: compute(a(env), b(env))

    def choose(self, type_, scope, depth):
        function = ("fn", (INT,), INT)
        f_text, f = self.expression(function, scope, depth - 1)
        x_text, x = self.expression(INT, scope, depth - 1)
        if self.rng.random() < 0.5:
            return f"@twice({f_text}, {x_text})", lambda env: (lambda g: g(g(x(env))))(f(env))
        name = "k" + str(self.key())
        return f"(let %{name} = {f_text}; %{name}({x_text}))", lambda env: f(env)(x(env))

    def fold(self, type_, scope, depth):
        element = self.random_type(1)
        l_text, l = self.expression(("list", element), scope, depth - 1)
        z_text, z = self.expression(INT, scope, depth - 1)
        right = self.rng.random() < 0.4
        acc, x = ("acc", self.key(), INT), ("el", self.key(), element)
        body_text, body = self.expression(INT, scope + [acc, x], min(depth - 1, 2))
        params = [f"%acc: int32", f"%el: {show(element)}"]
        if right:
            params.reverse()

        def evaluate(env):
            # The function of a fold is pure, so the order of evaluation is that of its arguments.
            start, values = z(env), l(env)
            for v in reversed(values) if right else values:
                start = body({**env, acc[1]: start, x[1]: v})
            return start
        function = f"fn ({', '.join(params)}) -> int32 {{ {body_text} }}"
        return f"@{'foldr' if right else 'foldl'}({function}, {z_text}, {l_text})", evaluate

    def tree_sum(self, type_, scope, depth):
        text, value = self.expression(("tree", INT), scope, depth - 1)

        def total(tree):
            result = 0
            for child in tree[2]:
                result = wrap(result + total(child))
            return wrap(tree[1] + result)
        return f"@treesum({text})", lambda env: total(value(env))

    def project(self, type_, scope, depth):
        other = self.random_type(1)
        text, value = self.expression(("tuple", INT, other), scope, depth - 1)
        return f"({text}).0", lambda env: value(env)[0]

    def cell(self, type_, scope, depth):
        # A reference that is written in a branch or in a local function, and then read.
        start_text, start = self.expression(INT, scope, depth - 2)
        name, cell = "r" + str(self.key()), self.key()
        cond_text, cond = self.expression(BOOL, scope, depth - 2)
        step_text, step = self.expression(INT, scope, depth - 2)
        calls = self.rng.choice([0, 1, 3])
        f = "w" + str(self.key())
        lines = [f"let %{name} = ref({start_text});",
                 f"let %{f} = fn (%s: int32) -> int32 {{ ref_write(%{name}, ref_read(%{name}) + %s); ref_read(%{name}) }};",
                 f"let %u{name} = if ({cond_text}) {{ ref_write(%{name}, {step_text}) }} else {{ () }};"]
        lines += [f"let %c{i}{name} = %{f}({i + 2});" for i in range(calls)]
        lines.append(f"ref_read(%{name}) * 2")

        def evaluate(env):
            value = start(env)
            if cond(env):
                value = step(env)
            for i in range(calls):
                value = wrap(value + i + 2)
            return wrap(value * 2)
        return f"({' '.join(lines)})", evaluate

    def compare(self, type_, scope, depth):
        op = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        (a_text, a), (b_text, b) = (self.expression(INT, scope, depth - 1) for _ in range(2))
        test = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__}[op]
        return f"({a_text} {op} {b_text})", lambda env: test(a(env), b(env))

    def parity(self, type_, scope, depth):
        text, value = self.expression(INT, scope, depth - 1)
        odd = self.rng.random() < 0.5
        text = f"minimum({text}, 9)"
        number = lambda env: min(value(env), 9)
        return (f"@{'odd' if odd else 'even'}({text})",
                lambda env: (number(env) % 2 == 1) == odd if number(env) > 0 else not odd)

    # Lists.
    def cons(self, type_, scope, depth):
        (x_text, x), (l_text, l) = self.expression(type_[1], scope, depth - 1), self.expression(type_, scope, depth - 1)
        return f"Cons({x_text}, {l_text})", lambda env: (lambda v: [v] + l(env))(x(env))

    def map_list(self, type_, scope, depth):
        element = self.random_type(1)
        f_text, f = self.expression(("fn", (element,), type_[1]), scope, depth - 1)
        l_text, l = self.expression(("list", element), scope, depth - 1)

        def evaluate(env):
            function = f(env)
            return [function(v) for v in l(env)]
        return f"@map({f_text}, {l_text})", evaluate

    def filter_list(self, type_, scope, depth):
        name, key, inner = self.bind(scope, type_[1])
        p_text, p = self.expression(BOOL, inner, min(depth - 1, 2))
        l_text, l = self.expression(type_, scope, depth - 1)
        return (f"@filter(fn (%{name}: {show(type_[1])}) -> bool {{ {p_text} }}, {l_text})",
                lambda env: [v for v in l(env) if p({**env, key: v})])

    def zip_list(self, type_, scope, depth):
        if type_[1][0] == "tuple" and len(type_[1]) == 3:
            (a_text, a), (b_text, b) = (self.expression(("list", t), scope, depth - 1) for t in type_[1][1:])
            return f"@zip({a_text}, {b_text})", lambda env: list(zip(a(env), b(env)))
        if type_ == ("list", INT):
            text, value = self.expression(INT, scope, depth - 1)
            return f"@upto(minimum({text}, 6))", lambda env: list(range(min(value(env), 6), 0, -1))
        return None

    def swap(self, type_, scope, depth):
        if len(type_) != 3:
            return None
        text, value = self.expression(("tuple", type_[2], type_[1]), scope, depth - 1)
        return f"@swap({text})", lambda env: (lambda v: (v[1], v[0]))(value(env))

    # Functions.
    def function(self, type_, scope, depth):
        params = [(f"x{self.key()}", self.key(), t) for t in type_[1]]
        body_text, body = self.expression(type_[2], scope + params, depth - 1)
        declared = ", ".join(f"%{n}: {show(t)}" for n, _, t in params)
        ret = f" -> {show(type_[2])}" if self.rng.random() < 0.6 else ""

        def evaluate(env):
            return lambda *args: body({**env, **{key: v for (_, key, _), v in zip(params, args)}})
        return f"fn ({declared}){ret} {{ {body_text} }}", evaluate

    def compose(self, type_, scope, depth):
        middle = self.random_type(1)
        f_text, f = self.expression(("fn", (middle,), type_[2]), scope, depth - 1)
        g_text, g = self.expression(("fn", type_[1], middle), scope, depth - 1)

        def evaluate(env):
            outer, inner = f(env), g(env)
            return lambda *args: outer(inner(*args))
        return f"@compose({f_text}, {g_text})", evaluate


def make_program(rng, results):
    generator = Generator(rng)
    inputs = {"a": rng.choice([0, 1, 5, -3, 40]), "b": rng.choice([0, 2, -1, 17])}
    scope = [(name, name, INT) for name in inputs]
    # References are evaluated in the order of the text, as in Python.
    parts = [generator.expression(INT, scope, rng.choice([2, 3, 4])) for _ in range(results)]
    lines = "\n".join(f"  let %result{i} = {text};" for i, (text, _) in enumerate(parts))
    names = ", ".join(f"%result{i}" for i in range(results))
    text = f"{PRELUDE}def @main(%a: int32, %b: int32) {{\n{lines}\n  ({names})\n}}\n"
    return text, inputs, [value(dict(inputs)) for _, value in parts]


def write_npz(path, values):
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (), }"
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in values.items():
            archive.writestr(f"{name}.npy", start + struct.pack("<i", value))


def run(*command):
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", "time limit of 300 s"


def check(lathe, folder, text, inputs, expected, build):
    """Returns what is wrong, or nothing."""
    file = folder / "program.relay"
    file.write_text(text)
    data = folder / "inputs.npz"
    write_npz(data, inputs)
    status, out, err = run(lathe, "run", file, "--input", data)
    if status != 0:
        return f"run: exit code {status}\n{err[:2000]}"
    values = [int(v) for v in re.findall(r"int32 \(\)\n\s*(-?\d+)", out)]
    if values != expected:
        return f"run: {values}, expected {expected}"
    if not build:
        return None
    status, out, err = run(lathe, "validate", file, "--data", data)
    return None if status == 0 else f"validate: exit code {status}\n{(out + err)[-2000:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lathe")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=int, default=6)
    parser.add_argument("--no-build", action="store_true", help="do not compile the generated C")
    parser.add_argument("--keep", help="where programs that fail are kept")
    options = parser.parse_args()
    sys.setrecursionlimit(10000)
    failures = 0
    for seed in range(options.seed, options.seed + options.count):
        text, inputs, expected = make_program(random.Random(seed), options.results)
        with tempfile.TemporaryDirectory() as name:
            wrong = check(options.lathe, pathlib.Path(name), text, inputs, expected, not options.no_build)
        if wrong is None:
            continue
        failures += 1
        print(f"seed {seed}: {wrong}")
        if options.keep:
            pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(options.keep) / f"{seed}.relay").write_text(text)
    print(f"{options.count} programs of {options.results} results each, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
