"""Examples of the operators of Relax: whole programs, from the lists of the tests."""
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests"
IMPORTS = "from tvm.script import ir as I, relax as R, tir as T\n\n\n@I.ir_module\nclass Module:\n"
DOUBLE = """    @T.prim_func
    def double(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("double"):
                k = T.axis.spatial(4, i)
                y[k] = x[k] * T.float32(2)

"""
TWICE = """    @T.prim_func
    def twice(x: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("twice"):
                k = T.axis.spatial(4, i)
                x[k] = x[k] * T.float32(2)

"""
DEVICES = """    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0), I.vdevice("cuda", 0)]})

"""
PLUS = """    @R.function(private=True)
    def plus(a: R.Tensor((4,), "float32"), b: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.add(a, b)

"""
MEMBERS = {"Module.double": DOUBLE, "Module.twice": TWICE, "Module.plus": PLUS, "vdevice": DEVICES}


def function(parameters, lines, pure=True):
    head = "    @R.function\n" if pure else "    @R.function(pure=False)\n"
    return head + "    def main(%s):\n" % parameters + "".join("        %s\n" % line for line in lines)


def from_table():
    """The first call of each operator of kernel_kinds/operators.table, with the parameters that it uses."""
    types, found, name = {}, {}, ""
    text = (TESTS / "kernel_kinds/operators.table").read_text()
    for line in text.replace(")\nparameter \"", "), \"").splitlines():
        if line.startswith("parameter "):
            name, _, kind = line[len("parameter "):].partition(": ")
            types[name] = kind
        elif line.startswith("R."):
            call = line.split("  ->")[0]
            name = call.split("(")[0]
            used = [p for p in types if re.search(r"(?<![\w.\"])%s(?![\w\"=])" % p, call)]
            parameters = ", ".join("%s: %s" % (p, types[p]) for p in used)
            found.setdefault(name, IMPORTS + function(parameters, ["out = " + call, "return out"]))
    return found


def from_list():
    """The blocks of relax_examples.list, and what is done with those that are not run, by operator."""
    found, only = {}, {}
    impure = re.compile(r"^_\d* = |kill_|vm\.|invoke_closure|call_inplace|call_builtin|dps_packed|call_py", re.M)
    for block in (TESTS / "docs/relax_examples.list").read_text().split("\n== ")[1:]:
        head, parameters, *lines = block.rstrip("\n").split("\n")
        members = "".join(member for word, member in MEMBERS.items() if word in block)
        text = IMPORTS + members + function(parameters[1:-1], lines, pure=not impure.search("\n".join(lines)))
        operators = [word for word in head.split() if word.startswith("R.")]
        found.update({operator: text for operator in operators})
        if head.split()[-1] in ("compiled", "checked"):
            only.update({operator: head.split()[-1] for operator in operators})
    return found, only
