#!/usr/bin/env python3
"""Prints instructions, memory and code of quantized models on emulated cores: mcu.py LATHE MODEL ...

Each row is a model, each column a core of `lathe targets` with its board of QEMU. Instructions are those of one run
(`lathe validate --profile`), which also compares every output byte with the interpreter: a difference is an error.
RAM is arena, inputs, outputs and instance, flash weights, code and tables (`lathe compile --cc`, -O2). --json keeps
the numbers. Emulated instructions are repeatable; they are not cycles.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

CORES = {"cortex-m0": "mps2-an385", "cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500",
         "cortex-m33": "mps2-an505", "cortex-m55": "mps3-an547", "rv32imc": None}


def run(words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def instructions(lathe, model, core, board):
    """The instructions of a run, and the stack it used; or an error message."""
    place = "qemu:" + board if board else "qemu"
    code, said = run([lathe, "validate", model, "-t", core, "--on", place, "--profile", "--time-limit", "1200"])
    whole = re.search(r"^ *(\d+) +(\d+) +model_run$", said, re.MULTILINE)
    exact = re.findall(r"max\|d\| (\S+)", said)
    if code != 0 or whole is None or not exact or any(d != "0" for d in exact):
        return None, said.strip().splitlines()[-1] if said.strip() else "ended with %d" % code
    return {"instructions": int(whole[1]), "stack": int(whole[2])}, ""


def memory(lathe, model, core):
    with tempfile.TemporaryDirectory() as folder:
        _, said = run([lathe, "compile", model, "-t", core, "-o", folder, "--cc", compiler(core), "--cflags", "-O2"])
    sizes = {}
    for name in ("RAM", "arena", "flash"):
        found = re.search(r"^%s +([\d ]+) B" % name, said, re.MULTILINE)
        sizes[name] = int(found[1].replace(" ", "")) if found else None
    return sizes


def compiler(core):
    return "riscv64-unknown-elf-gcc" if core.startswith("rv") else "arm-none-eabi-gcc"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--cores", nargs="*", default=list(CORES), choices=list(CORES))
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    rows, failed = {}, 0
    for model in arguments.models:
        for core in arguments.cores:
            row, wrong = instructions(arguments.lathe, model, core, CORES[core])
            if wrong:
                failed += 1
                print("%s on %s: %s" % (model.name, core, wrong), file=sys.stderr)
                continue
            row.update(memory(arguments.lathe, model, core))
            rows.setdefault(model.stem, {})[core] = row
    for title, key in (("Instructions of one run", "instructions"), ("RAM, bytes", "RAM"), ("Flash, bytes", "flash"), ("Stack, bytes", "stack")):
        print("%-28s" % title + "".join("%13s" % core for core in arguments.cores))
        for model, cells in rows.items():
            numbers = [cells.get(core, {}).get(key) for core in arguments.cores]
            print("%-28s" % model[:27] + "".join("%13s" % ("-" if n is None else "{:,}".format(n)) for n in numbers))
        print()
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
