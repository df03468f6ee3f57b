#!/usr/bin/env python3
"""The state of generated C: check_state.py LATHE

Compiles streaming.py, and calls its functions by drive.c: init, reset, save, load, several functions and instances, and a
run that fails. Runs it on an emulated Cortex-M4, too, if the compiler and the emulator are installed.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LATHE = sys.argv[1]
FLAGS = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsanitize=address,undefined"]
STEPS = 5


def run(*words, code=0):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def drives(folder):
    """Builds and runs drive.c with the functions for one target."""
    run(LATHE, "compile", HERE / "streaming.py", "-n", "kws", "-o", folder, "--golden")
    sources = [folder / "kws.c", folder / "kws_selftest.c", HERE / "drive.c"]
    run("cc", *FLAGS, "-I", folder, *sources, "-o", folder / "drive", "-lm")
    run(folder / "drive")  # ends with the line of the check that fails


def packages(folder):
    """The Makefile of a package builds the self-test and runs two steps of each function."""
    run(LATHE, "compile", HERE / "streaming.py", "-n", "kws", "-o", folder, "--golden", "--package", "make")
    run("make", "-C", folder, "check", "CFLAGS=-O1 -Wall -Wextra -Werror")


def on_board():
    for tool in ("arm-none-eabi-gcc", "qemu-system-arm"):
        if not shutil.which(tool):
            print(f"skipped: the Cortex-M4 needs {tool}")
            return
    for function in ("main", "counted"):
        said = run(LATHE, "validate", HERE / "streaming.py", "--on", "qemu:mps2-an386", "-t", "cortex-m4", "--func", function,
                   "--steps", STEPS)
        if said.count("of step") != STEPS - 1 or "state 'window'" not in said or not said.endswith("PASS\n"):
            sys.exit(f"'{function}' on the board printed\n{said}")


with tempfile.TemporaryDirectory() as scratch:
    drives(pathlib.Path(scratch) / "drive")
    packages(pathlib.Path(scratch) / "package")
on_board()
