#!/usr/bin/env python3
"""Runs in steps and hooks of generated C: check_steps.py LATHE

Compiles two.py with --step and calls its functions by drive.c: each step, with hooks; abandoned runs; wrong arguments.
Compares the code with empty hooks with that without hooks, byte by byte. Runs the steps on an emulated Cortex-M4, and
reads a log of measured steps back beside its instructions, if the compiler and the emulator are installed.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LATHE = sys.argv[1]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsanitize=address,undefined"]
BOARD = "qemu:mps2-an386"


def run(*words, code=0):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def drives(folder, *more):
    """Builds and runs drive.c; the hooks call its functions."""
    run(LATHE, "compile", HERE / "two.py", "-n", "two", "-o", folder, "--step", *more)
    run("cc", *FLAGS, "-I", folder, f'-DLATHE_HOOKS="{HERE}/hooks.h"', folder / "two.c", HERE / "drive.c", "-o",
        folder / "drive", "-lm")
    run(folder / "drive")


def code_of(folder):
    """The machine code of the model, without symbols and debug information."""
    run("cc", "-std=c99", "-O2", "-I", folder, "-c", folder / "two.c", "-o", folder / "two.o")
    run("objcopy", "-O", "binary", "-j", ".text", folder / "two.o", folder / "two.text")
    return (folder / "two.text").read_bytes()


def hooks_cost_nothing(folder):
    codes = []
    for name, options in (("plain", []), ("hooked", ["--hooks"])):
        run(LATHE, "compile", HERE / "two.py", "-n", "two", "-o", folder / name, *options)
        codes.append(code_of(folder / name))
    if "LATHE_ON_STEP(" not in (folder / "hooked/two.c").read_text():
        sys.exit("--hooks printed no hooks")
    if codes[0] != codes[1]:
        sys.exit("empty hooks change the code")


def joined_layers(folder):
    """--step-macs joins layers within its bound, and refuses one below the largest layer."""
    counts = []
    for thousands in (1, 1000):
        run(LATHE, "compile", HERE / "two.py", "-D", "n=8", "-n", "two", "-o", folder, "--step-macs", thousands)
        text = (folder / "two.h").read_text()
        counts.append(int(re.search(r"define TWO_STEP_COUNT (\d+)u", text)[1]))
        most = [int(m) for m in re.findall(r"_STEP_MACS_MAX (\d+)u", text)]
        if len(most) != 3 or max(most) > thousands * 1000:
            sys.exit(f"--step-macs {thousands} gives steps of {most} operations")
    if counts != [1, 1]:
        sys.exit(f"--step-macs gives {counts} steps for 96 operations")
    (folder / "large.py").write_text((HERE / "two.py").read_text().replace("(4, 8)", "(400, 8)").replace("(4, 3)", "(400, 3)"))
    run(LATHE, "compile", folder / "large.py", "-D", "n=8", "-o", folder, "--step-macs", 9, code=4)
    run(LATHE, "compile", folder / "large.py", "-D", "n=8", "-o", folder, "--step-macs", 10)


def on_board(folder):
    for tool in ("arm-none-eabi-gcc", "qemu-system-arm"):
        if not shutil.which(tool):
            print(f"skipped: the Cortex-M4 needs {tool}")
            return
    for function in ("main", "other"):
        said = run(LATHE, "validate", HERE / "two.py", "-D", "n=8", "--step", "--on", BOARD, "--func", function)
        if not said.endswith("PASS\n"):
            sys.exit(f"'{function}' on the board printed\n{said}")
    model = [HERE / "two.py", "-D", "n=8", "-n", "two", "-t", "cortex-m4f"]
    counted = json.loads(run(LATHE, "profile", *model, "--on", BOARD, "--json"))
    log = folder / "steps.log"
    kernels = [step for step in counted["steps"] if step["instructions"] is not None]
    log.write_text("boot 1\n" + "".join(f"step {s['step']} {2 * s['instructions'] + spread}\n" for spread in (0, 4, 2)
                                        for s in kernels))
    both = json.loads(run(LATHE, "profile", *model, "--from", log, "--on", BOARD, "--json"))
    for step in both["steps"]:
        if step["instructions"] is not None and step["ticks"] != 2 * step["instructions"] + 2:
            sys.exit(f"the profile has {step}")
    total = sum(s["instructions"] for s in kernels)
    if len(kernels) < 4 or not total <= counted["instructions"] < total + 200 or both["other_lines"] != 1:
        sys.exit(f"{total} of {counted['instructions']} instructions are of steps; {both['other_lines']} other lines")


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    drives(scratch / "drive")
    drives(scratch / "apart", "--no-fuse")
    hooks_cost_nothing(scratch)
    joined_layers(scratch)
    on_board(scratch)
