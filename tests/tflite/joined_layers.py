#!/usr/bin/env python3
"""Checks what reports say of layers that are joined over lines: joined_layers.py LATHE

An image network of int8 convolutions is compiled for a core whose layers are joined, and for one whose are not. The
tensors of lines have names of their own, `--explain-peak` does not advise against them, and `lathe diff` pairs a
joined step with the steps of its layers. On the Cortex-M55, sums in joined layers compute in vectors, too.
"""
import json
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from model_writer import Model, Operator, Subgraph, Tensor, options  # noqa: E402

CONV, ADD = 3, 0
HEIGHT, CHANNELS = 32, 16


def network():
    """Convolutions in two residual blocks."""
    dice = random.Random("joined")
    image = lambda name: Tensor(name, [1, HEIGHT, HEIGHT, CHANNELS], "int8", 0.05, -128)
    operators = []

    def conv(name, x):
        weights = Tensor("w_" + name, [CHANNELS, 3, 3, CHANNELS], "int8", [0.01 + k / 1000 for k in range(CHANNELS)], [0] * CHANNELS, 0, data=bytes(dice.randint(-40, 40) & 255 for _ in range(9 * CHANNELS * CHANNELS)))
        bias = Tensor("b_" + name, [CHANNELS], "int32", [(0.01 + k / 1000) * 0.05 for k in range(CHANNELS)], [0] * CHANNELS, 0, data=struct.pack("<%di" % CHANNELS, *range(CHANNELS)))
        y = image(name)
        operators.append(Operator(CONV, [x, weights, bias], [y], options(1, padding=0, stride_w=1, stride_h=1, activation=1)))
        return y

    x = value = image("x")
    for block in "ab":
        first = conv("first_" + block, value)
        second = conv("second_" + block, first)
        total = image("total_" + block)
        operators.append(Operator(ADD, [value, second], [total], options(11)))
        value = total
    return Model([Subgraph([x], [value], operators)]).write()


def lathe(program, *words):
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 6):
        sys.exit("lathe %s: %s" % (" ".join(words), done.stderr))
    return json.loads(done.stdout)


def sums_of_m55(program, path, folder):
    """What is wrong with the sums in joined layers of the Cortex-M55, or an empty text."""
    subprocess.run([program, "compile", path, "-t", "cortex-m55", "-o", folder + "/m55"], stdout=subprocess.DEVNULL, check=True)
    functions = re.findall(r"^static void \w+_conv2d\w*_add\w*\(.*?^}", Path(folder, "m55", "net.c").read_text(), re.MULTILINE | re.DOTALL)
    if not functions or any("lathe_x4_store_i8(" not in function for function in functions):
        return "%d sums of the Cortex-M55 are joined, and not all of them are vectors" % len(functions)
    words = ["validate", path, "-t", "cortex-m55", "--cflags", "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"]
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return "" if done.returncode == 0 and "max|d| 0 " in done.stdout else done.stdout


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program, wrong = sys.argv[1], []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "net.tflite")
        Path(path).write_bytes(network())
        report = lathe(program, "analyze", path, "-t", "cortex-m4", "--explain-peak", "--json")
        diff = lathe(program, "diff", path, "-t", "cortex-m4", "-t", "generic-c99", "--no-run", "--json")
        said = sums_of_m55(program, path, folder)
    if said:
        wrong.append(said)
    text = json.dumps(report)
    steps = [step for routine in report["functions"] for step in routine["steps"]]
    joined = [step["op"] for step in steps if " + " in step["op"]]
    if not joined:
        wrong.append("no layers are joined: %s" % [step["op"] for step in steps])
    for routine in report["functions"]:
        for number, step in enumerate(routine["steps"]):
            names = [buffer["name"] for buffer in routine["buffers"] if buffer["first_step"] == buffer["last_step"] == number]
            if step["op"] in joined and (len(names) < 3 or len(names) != len(set(names))):
                wrong.append("the scratch memory of step %d is named %s" % (number, names))
    if "without scratch memory" in text:
        wrong.append("--explain-peak advises against the lines of joined layers")
    changes = diff["steps"]["changes"]
    if any(change["kind"] != "changed" for change in changes):
        wrong.append("steps are added or removed: %s" % changes)
    for op in joined:
        if not any(change["op"] == op and any(detail.startswith("operators: %s -> #" % op) for detail in change["details"]) for change in changes):
            wrong.append("the step %s is not paired with those of its layers: %s" % (op, changes))
    print("\n".join(wrong) or "%d joined steps: passed" % len(joined))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
