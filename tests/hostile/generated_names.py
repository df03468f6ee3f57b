#!/usr/bin/env python3
"""Names a model's parts like the identifiers of its generated C: generated_names.py LATHE

Every identifier that the C of a model has for some options (functions, parameters, variables,
members, macros) becomes the name of a binding, an input, a kernel, a private function and an
exported function of further models, whole and without the model's prefix. Their C must compile.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = '''from tvm.script import ir as I, relax as R, tir as T


@I.ir_module
class Module:
'''
KERNEL = '''    @T.prim_func(private=True)
    def %s(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
        for i in range(4):
            y[i] = x[i] * T.float32(2)

'''
FUNCTION = '''    @R.function%s
    def %s(x: R.Tensor((4,), "float32")):
        return R.cumsum(x)

'''
OPTIONS = [["--step"], ["--pool", "fast:64", "--pool", "slow:4K", "--externs", "table"],
           ["--weights", "external", "--golden"]]
RESERVED = set("""auto break case char const continue default do double else enum extern float for goto if inline int
long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
and or not if else in is lambda None True False def class from import as with pass raise try except finally global
nonlocal del assert yield async await R T I Module main""".split())
WORDS = re.compile(r"[A-Za-z_]\w*")
GROUP = 40  # names in a model


def model(binds, inputs, kernels, private, exported):
    """A module with these names; the input of each exported function is called x."""
    text = HEAD
    for name in kernels:
        text += KERNEL % name
    for name in private:
        text += FUNCTION % ("(private=True)", name)
    for name in exported:
        text += FUNCTION % ("", name)
    params = inputs or ["given"]
    text += "    @R.function\n    def main(%s):\n" % ", ".join(
        "%s: R.Tensor((4,), \"float32\")" % name for name in params)
    last = params[0]
    lines = []

    def bind(name, value):
        nonlocal last
        lines.append("%s = %s" % (name, value))
        last = name

    for name in params[1:]:
        bind("sum_of_" + name, "R.add(%s, %s)" % (last, name))
    for number, name in enumerate(kernels):
        bind("after_kernel_%d" % number, "R.call_tir(Module.%s, (%s,), R.Tensor((4,), \"float32\"))" % (name, last))
    for number, name in enumerate(private):
        bind("after_call_%d" % number, "Module.%s(%s)" % (name, last))
    for name in binds:
        bind(name, "R.cumsum(%s)" % last)
    bind("weighted", "R.multiply(%s, R.const([1, 2, 3, 4], \"float32\"))" % last)
    lines.append("return R.cumsum(weighted)")
    return text + "".join("        %s\n" % line for line in lines)


def generate(lathe, folder, name, text, options):
    path = Path(folder) / (name + ".py")
    path.write_text(text)
    out = Path(folder) / name
    done = subprocess.run([lathe, "compile", str(path), "-t", "generic-c99", "-n", "net", "-o", str(out)] + options,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        return None, done.stdout
    built = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only", "-I", str(out)] +
                           [str(file) for file in out.glob("*.c")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, check=False)
    return out, built.stdout if built.returncode else ""


def identifiers(out):
    """The identifiers of the C files, and what follows the model's name in them."""
    words = set()
    for file in list(out.glob("*.c")) + list(out.glob("*.h")):
        text = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", file.read_text(), flags=re.S)
        words |= set(WORDS.findall(text))
    words |= {word[4:] for word in words if word.lower().startswith("net_")}
    return sorted(word for word in words if word and not word[0].isdigit() and word not in RESERVED)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    arguments = parser.parse_args()
    failed = built = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, options in enumerate(OPTIONS):
            plain = model(["a", "b"], ["given", "other"], ["k"], ["f"], ["g"])
            out, problem = generate(arguments.lathe, folder, "plain%d" % number, plain, options)
            if out is None or problem:
                print("%s\n%s" % (" ".join(options), problem))
                return 1
            names = identifiers(out)
            for start in range(0, len(names), GROUP):
                group = names[start:start + GROUP]
                for kind in range(5):
                    parts = [group if kind == k else [] for k in range(5)]
                    name = "m%d_%d_%d" % (number, start, kind)
                    out, problem = generate(arguments.lathe, folder, name, model(*parts), options)
                    built += 1
                    if out is None or problem:
                        failed += 1
                        what = ["bindings", "inputs", "kernels", "private functions", "exported functions"][kind]
                        print("%s named %s, options %s:\n%s" % (what, " ".join(group), options, problem[:1500]))
    print("%d models, %d failed" % (built, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
