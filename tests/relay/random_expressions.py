"""Generates expressions of random Relay programs, each with a function that evaluates it."""
import re

import random_prelude
from random_prelude import wrap
from random_tensors import ANY, BOOL, INT, SIZES, TensorMakers

COLOUR, EVEN, ACTION = ("colour",), ("even",), ("action",)
INT_FUNCTION = ("fn", (INT,), INT)
NAMES = {"int": "int32", "bool": "bool", "colour": "Colour", "even": "Even", "action": "Action", "any": "Tensor[(?), int32]"}


class Unmatched(Exception):
    """No clause of a `match?` fits."""


def show(type_):
    kind = type_[0]
    if kind in NAMES:
        return NAMES[kind]
    if kind == "num":
        return type_[1]
    if kind == "vec":
        return f"Tensor[({type_[1]}), int32]"
    if kind == "tuple":
        return "(" + ", ".join(show(t) for t in type_[1:]) + ("," if len(type_) == 2 else "") + ")"
    if kind == "fn":
        return f"fn ({', '.join(show(t) for t in type_[1])}) -> {show(type_[2])}"
    return f"{kind.capitalize()}[{', '.join(show(t) for t in type_[1:])}]"


def parts_of(type_):
    """The types that a type is made of, apart from functions."""
    return [part for part in type_[1:] if isinstance(part, tuple)]


def holds_function(type_):
    return type_ == ACTION or type_[0] == "fn" or any(map(holds_function, parts_of(type_)))


class Generator(TensorMakers):
    """Expressions are pairs of text and a function from an environment to the value.

    A scope is a list of (name in the text, key in the environment, type); later entries hide earlier
    ones. Keys are unique. For TVM, `unique` gives every variable a name of its own, because TVM's scopes are not
    lexical; and data have no fields of function types without `functions_in_data`, because TVM's analysis of devices
    refuses them.
    """

    def __init__(self, rng, unique=False, functions_in_data=True):
        self.rng = rng
        self.unique = unique
        self.functions_in_data = functions_in_data
        self.keys = 0
        self.graph_vars = 0
        self.open_graph_vars = []  # name, type, evaluate
        self.graph_bindings = []
        self.may_fail = False

    def key(self):
        self.keys += 1
        return self.keys

    def may_be_field(self, type_):
        return self.functions_in_data or not holds_function(type_)

    def field_type(self, depth):
        """A random type that a field of a data type may have."""
        while not self.may_be_field(type_ := self.random_type(depth)):
            pass
        return type_

    def random_type(self, depth=2):
        while not self.is_evaluated(type_ := self.any_type(depth)):
            pass
        return type_

    def is_evaluated(self, type_):
        """Whether no data type in the type has a field that it may not have."""
        if type_ == ACTION:
            return self.functions_in_data
        if type_[0] == "fn":
            return all(map(self.is_evaluated, type_[1])) and self.is_evaluated(type_[2])
        if type_[0] == "tuple":
            return all(map(self.is_evaluated, type_[1:]))
        return all(map(self.may_be_field, parts_of(type_)))

    def any_type(self, depth):
        rng = self.rng
        choices = [INT] * 5 + [BOOL, COLOUR, EVEN, ACTION, ANY, ("vec", rng.choice(SIZES)),
                               ("num", rng.choice(["int8", "int16", "int64", "float32"]))]
        if depth > 0:
            inner = lambda: self.any_type(depth - 1)
            choices += [("list", inner()), ("list", INT), ("option", inner()), ("tree", INT),
                        ("tuple", inner(), inner()), ("fn", (INT,), inner()), ("either", inner(), inner()),
                        ("nest", INT), ("list", INT_FUNCTION), ("tuple", inner()), ("tuple", inner(), ("tuple", INT, inner()), BOOL)]
        return rng.choice(choices)

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
        makers = [self.variable, self.let, self.branch, self.match_value, self.block_of_graph, self.call_literal,
                  self.fold, self.open_graph_var, self.case_of, self.project, self.first]
        makers += {"int": [self.arithmetic] * 4 + [self.tree_sum, self.cell, self.choose, self.int_of_number, self.stage,
                                                   self.int_of_tensor, self.int_of_tensor, self.reduce_data, self.match_some],
                   "bool": [self.compare] * 3 + [self.parity, self.compare_numbers, self.logic],
                   "num": [self.number] * 3,
                   "vec": [self.vector] * 4,
                   "any": [self.dynamic] * 3,
                   "even": [self.evens],
                   "list": [self.map_list, self.cons, self.filter_list, self.zip_list],
                   "tuple": [self.leaf, self.swap],
                   "fn": [self.function, self.compose, self.chain]}.get(type_[0], [self.leaf])
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
            # TVM's argmin of the largest int32 alone is -1.
            largest = 2**31 - (2 if self.unique else 1)
            value = rng.choice([0, 1, 2, 3, 7, -1, -5, 100, largest, rng.randrange(-50, 50)])
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
            fields = ", ".join(p[0] for p in parts) + ("," if len(parts) == 1 else "")
            return f"({fields})", lambda env: tuple(p[1](env) for p in parts)
        if kind == "num":
            return self.number_leaf(type_)
        if kind == "vec":
            return self.vector_leaf(type_, scope)
        if kind == "any":
            text, value = self.vector_leaf(("vec", rng.choice(SIZES)), scope)
            return f"@any({text})", value
        if kind == "even":
            if depth <= -2 or rng.random() < 0.3:
                return "Zero", lambda env: ("Zero",)
            (n_text, n), (m_text, m) = sub(INT), sub(INT)
            rest_text, rest = self.leaf(type_, scope, depth - 2)
            return (f"AfterOdd({n_text}, AfterEven({m_text}, {rest_text}))",
                    lambda env: ("AfterOdd", n(env), ("AfterEven", m(env), rest(env))))
        if kind == "action":
            which = rng.randrange(3) if depth > -3 else 0
            if which == 2:
                (a_text, a), (b_text, b) = (self.leaf(type_, scope, depth - 2) for _ in range(2))
                return f"Both({a_text}, {b_text})", lambda env: ("Both", a(env), b(env))
            text, value = sub(INT_FUNCTION if which == 1 else INT)
            name = "Apply" if which == 1 else "Keep"
            return f"{name}({text})", lambda env: (name, value(env))
        if kind == "either":
            side, name = rng.choice([(1, "Left"), (2, "Right")])
            text, value = sub(type_[side])
            key = self.key()
            return f"(let %e{key}: {show(type_)} = {name}({text}); %e{key})", lambda env: (name, value(env))
        if kind == "nest":
            return self.nest_leaf(type_[1], scope, depth)
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

    def nest_leaf(self, element, scope, depth):
        if self.rng.random() < 0.35:
            key = self.key()
            return f"(let %e{key}: Nest[{show(element)}] = End; %e{key})", lambda env: []
        text, value = self.leaf(element, scope, 0)
        rest_text, rest = self.nest_leaf(("tuple", element, element), scope, depth - 2) if depth > -4 else ("End", lambda env: [])
        return f"Deep({text}, {rest_text})", lambda env: [value(env)] + rest(env)

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
        if self.unique:
            name += f"_{key}"
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
        # It is evaluated if it is used, which is seen where it fails.
        if self.may_fail:
            return None
        bound = self.random_type(1)
        text, value = self.expression(bound, scope, depth - 1)
        self.graph_vars += 1
        name, key = str(self.graph_vars), self.key()
        body_text, body = self.expression(type_, scope + [(name, key, bound)], depth - 1)
        return (f"(%{name} = {text}; {body_text})",
                lambda env: body({**env, key: value(env)}))

    def open_graph_var(self, type_, scope, depth):
        # A graph variable of the inputs alone. It is bound at the start, and any scope may use it.
        if self.may_fail:
            return None
        found = [(name, value) for name, t, value in self.open_graph_vars if t == type_]
        if found and self.rng.random() < 0.7:
            name, value = self.rng.choice(found)
            return f"%{name}", value
        inputs = [entry for entry in scope if entry[0] == entry[1]]
        text, value = self.expression(type_, inputs, depth - 1)
        self.graph_vars += 1
        name = str(self.graph_vars)
        self.open_graph_vars.append((name, type_, value))
        self.graph_bindings.append(f"%{name} = {text};")
        return f"%{name}", value

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
        if rng.random() < 0.4 or kind in ("int", "bool", "fn", "num", "vec", "any") or depth == 0:
            free = [n for n in "pqrstuvw" if n not in taken]
            if not free:
                return "_", [], lambda v, env: env, True
            name, key = rng.choice(free), self.key()
            if self.unique:
                name += f"_{key}"
            taken.add(name)
            return f"%{name}", [(name, key, type_)], lambda v, env: {**env, key: v}, True
        if kind == "tuple":
            return self.fields("", [(t, lambda v, i=i: v[i]) for i, t in enumerate(type_[1:])], lambda v: True, depth, taken)
        constructors = {
            "list": lambda: [("Nil", [], lambda v: not v), ("Cons", [(type_[1], lambda v: v[0]), (type_, lambda v: v[1:])], bool)],
            "option": lambda: [("None", [], lambda v: v[0] == "None"), ("Some", [(type_[1], lambda v: v[1])], lambda v: v[0] == "Some")],
            "tree": lambda: [("Rose", [(type_[1], lambda v: v[1]), (("list", type_), lambda v: v[2])], lambda v: True)],
            "either": lambda: [("Left", [(type_[1], lambda v: v[1])], lambda v: v[0] == "Left"),
                               ("Right", [(type_[2], lambda v: v[1])], lambda v: v[0] == "Right")],
            "nest": lambda: [("End", [], lambda v: not v), ("Deep", [(type_[1], lambda v: v[0]),
                                                                     (("nest", ("tuple", type_[1], type_[1])), lambda v: v[1:])], bool)],
            "even": lambda: [("Zero", [], lambda v: v[0] == "Zero"),
                             ("AfterOdd", [(INT, lambda v: v[1]), (("odd",), lambda v: v[2])], lambda v: v[0] == "AfterOdd")],
            "odd": lambda: [("AfterEven", [(INT, lambda v: v[1]), (EVEN, lambda v: v[2])], lambda v: True)],
            "action": lambda: [("Keep", [(INT, lambda v: v[1])], lambda v: v[0] == "Keep"),
                               ("Apply", [(INT_FUNCTION, lambda v: v[1])], lambda v: v[0] == "Apply"),
                               ("Both", [(ACTION, lambda v: v[1]), (ACTION, lambda v: v[2])], lambda v: v[0] == "Both")],
            "colour": lambda: [("Red", [], lambda v: v[0] == "Red"), ("Green", [(INT, lambda v: v[1])], lambda v: v[0] == "Green"),
                               ("Blue", [(INT, lambda v: v[1]), (COLOUR, lambda v: v[2])], lambda v: v[0] == "Blue")],
        }[kind]()
        name, parts, test = rng.choice(constructors)
        if kind not in ("tree", "odd"):
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
        kinds = [("list", self.field_type(1)), ("option", self.field_type(1)), COLOUR, ("tree", INT),
                 ("tuple", ("list", INT), ("option", INT)), ("tuple", COLOUR, COLOUR), ("nest", INT), EVEN, ACTION,
                 ("either", self.field_type(0), ("list", INT)), ("list", ("option", INT)), ("list", ("list", INT)),
                 ("tuple", ("either", INT, BOOL), ("tuple", COLOUR, INT)), ("option", ("tuple", COLOUR, COLOUR))]
        bound = rng.choice([kind for kind in kinds if self.is_evaluated(kind)])
        text, value = self.expression(bound, scope, depth - 1)
        arms = []
        for _ in range(rng.choice([1, 2, 3, 5])):
            pattern = self.pattern(bound, 3, set())
            arms.append((pattern, self.expression(type_, scope + pattern[1], depth - 2)))
            if pattern[3]:
                break
        partial = self.may_fail and rng.random() < 0.3
        if not arms[-1][0][3] and not partial:
            arms.append((("_", [], lambda v, env: env, True), self.expression(type_, scope, depth - 2)))

        def evaluate(env):
            v = value(env)
            for (_, _, match, _), (_, body) in arms:
                inner = match(v, env)
                if inner is not None:
                    return body(inner)
            raise Unmatched
        shown = ", ".join(f"{p[0]} => {body[0]}" for p, body in arms)
        return f"(match{'?' if partial else ''} ({text}) {{ {shown} }})", evaluate

    def match_some(self, type_, scope, depth):
        # An incomplete match of a value that the clause fits.
        (x_text, x), (y_text, y) = self.expression(INT, scope, depth - 1), self.expression(INT, scope, depth - 1)
        key = self.key()
        return f"(match? (Blue({x_text}, Green({y_text}))) {{ Blue(_, Green(%m{key})) => %m{key} }})", lambda env: (x(env), y(env))[1]

    def case_of(self, type_, scope, depth):
        # Both sides by functions: @either, or @maybe.
        left, right = self.field_type(0), self.field_type(0)
        g_text, g = self.expression(("fn", (right,), type_), scope, depth - 2)
        if self.rng.random() < 0.5:
            o_text, o = self.expression(("option", right), scope, depth - 1)
            d_text, d = self.expression(type_, scope, depth - 1)

            def maybe(env):
                option, default, function = o(env), d(env), g(env)
                return function(option[1]) if option[0] == "Some" else default
            return f"@maybe({o_text}, {d_text}, {g_text})", maybe
        e_text, e = self.expression(("either", left, right), scope, depth - 1)
        f_text, f = self.expression(("fn", (left,), type_), scope, depth - 2)

        def either(env):
            v, on_left, on_right = e(env), f(env), g(env)
            return on_left(v[1]) if v[0] == "Left" else on_right(v[1])
        return f"@either({e_text}, {f_text}, {g_text})", either

    def first(self, type_, scope, depth):
        if not self.may_be_field(type_):
            return None
        l_text, l = self.expression(("list", type_), scope, depth - 2)
        d_text, d = self.expression(type_, scope, depth - 1)
        return f"@first({l_text}, {d_text})", lambda env: (lambda values, default: values[0] if values else default)(l(env), d(env))

    def reduce_data(self, type_, scope, depth):
        which = self.rng.choice([0, 1, 2, 3] if self.functions_in_data else [0, 2, 3])
        if which == 0:
            text, value = self.expression(EVEN, scope, depth - 1)
            return f"@sumeven({text})", lambda env: random_prelude.sum_even(value(env))
        if which == 1:
            (a_text, a), (x_text, x) = self.expression(ACTION, scope, depth - 1), self.expression(INT, scope, depth - 1)
            return f"@act({a_text}, {x_text})", lambda env: (lambda action: random_prelude.act(action, x(env)))(a(env))
        text, value = self.expression(("nest", INT), scope, depth - 1)
        if which == 2:
            return f"@depth({text})", lambda env: len(value(env))
        f_text, f = self.expression(INT_FUNCTION, scope, depth - 1)
        return f"@nestsum({f_text}, {text})", lambda env: (lambda g: random_prelude.nest_sum(g, value(env)))(f(env))

    def evens(self, type_, scope, depth):
        text, value = self.expression(INT, scope, depth - 1)
        return f"@evens(minimum({text}, 7))", lambda env: random_prelude.evens(min(value(env), 7))

    # Integers.
    def arithmetic(self, type_, scope, depth):
        op = self.rng.choice(["+", "-", "*", "maximum", "minimum"])
        (a_text, a), (b_text, b) = (self.expression(INT, scope, depth - 1) for _ in range(2))
        compute = {"+": lambda x, y: wrap(x + y), "-": lambda x, y: wrap(x - y), "*": lambda x, y: wrap(x * y),
                   "maximum": max, "minimum": min}[op]
        text = f"{op}({a_text}, {b_text})" if op.isalpha() else f"({a_text} {op} {b_text})"
        return text, lambda env: compute(a(env), b(env))

    def choose(self, type_, scope, depth):
        f_text, f = self.expression(INT_FUNCTION, scope, depth - 1)
        x_text, x = self.expression(INT, scope, depth - 1)
        if self.rng.random() < 0.5:
            return f"@twice({f_text}, {x_text})", lambda env: (lambda g: g(g(x(env))))(f(env))
        name = "k" + str(self.key())
        return f"(let %{name}: fn (int32) -> int32 = {f_text}; %{name}({x_text}))", lambda env: f(env)(x(env))

    def fold(self, type_, scope, depth):
        # The accumulator is of any type. The function is pure, so its order of evaluation cannot be seen.
        element = self.field_type(1)
        l_text, l = self.expression(("list", element), scope, depth - 1)
        z_text, z = self.expression(type_, scope, depth - 1)
        right = self.rng.random() < 0.4
        acc_key, x_key = self.key(), self.key()
        acc, x = (f"acc{acc_key}" if self.unique else "acc", acc_key, type_), (f"el{x_key}" if self.unique else "el", x_key, element)
        body_text, body = self.expression(type_, scope + [acc, x], min(depth - 1, 2))
        params = [f"%{acc[0]}: {show(type_)}", f"%{x[0]}: {show(element)}"]
        if right:
            params.reverse()

        def evaluate(env):
            start, values = z(env), l(env)
            for v in reversed(values) if right else values:
                start = body({**env, acc_key: start, x_key: v})
            return start
        function = f"fn ({', '.join(params)}) -> {show(type_)} {{ {body_text} }}"
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
        others = [self.random_type(1) for _ in range(self.rng.choice([0, 1, 1, 2]))]
        at = self.rng.randrange(len(others) + 1)
        text, value = self.expression(("tuple", *others[:at], type_, *others[at:]), scope, depth - 1)
        return f"({text}).{at}", lambda env: value(env)[at]

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
        # TVM reads `(%0 ==` as a binding of %0.
        left = f"({a_text})" if self.unique else a_text
        return f"({left} {op} {b_text})", lambda env: test(a(env), b(env))

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
        element = self.field_type(1)
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

    def chain(self, type_, scope, depth):
        # Functions of one type with different captured values, composed by recursion.
        if type_ != INT_FUNCTION or not self.functions_in_data:
            return None
        text, value = self.expression(("list", type_), scope, depth - 1)

        def evaluate(env):
            functions = value(env)

            def chained(x):
                for function in reversed(functions):
                    x = function(x)
                return x
            return chained
        return f"@chain({text})", evaluate

    def compose(self, type_, scope, depth):
        middle = self.random_type(1)
        f_text, f = self.expression(("fn", (middle,), type_[2]), scope, depth - 1)
        g_text, g = self.expression(("fn", type_[1], middle), scope, depth - 1)

        def evaluate(env):
            outer, inner = f(env), g(env)
            return lambda *args: outer(inner(*args))
        return f"@compose({f_text}, {g_text})", evaluate


