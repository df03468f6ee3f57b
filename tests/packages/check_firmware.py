#!/usr/bin/env python3
"""Builds samples/firmware and samples/keyword with an installed Lathe for each board, and runs them in QEMU:
check_firmware.py BUILD_FOLDER

Where Lathe is installed by a package, check_release.py does the same with its files. Three commands for each board: configure, build, run. Then each budget is set too low, which stops the build.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
WANTED = {"firmware": "still  93%\ntilted 95%\nshaken 99%\n", "keyword": "0.98 s up\n2.00 s down\n"}
BOARDS = {"microbit": "arm-none-eabi-gcc qemu-system-arm", "mps2_an386": "arm-none-eabi-gcc qemu-system-arm",
          "mps3_an547": "arm-none-eabi-gcc qemu-system-arm", "rv32_virt": "riscv64-unknown-elf-gcc qemu-system-riscv32"}


def run(*words, may_fail=False, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=300, **more)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def build_and_run(board, folder, environment):
    run("cmake", "-S", ".", "-B", "build", "--toolchain", folder.parent / f"firmware/boards/{board}.cmake", cwd=folder, env=environment)
    run("cmake", "--build", "build", cwd=folder, env=environment)
    said = run("cmake", "--build", "build", "--target", "run", cwd=folder, env=environment)
    expect(WANTED[folder.name] in said, f"{folder.name} for {board} prints its results: {said}")


def exceed_budgets(board, folder, environment):
    """A budget that is too low stops the build and names what is needed; the former one succeeds again."""
    project = folder / "CMakeLists.txt"
    text = project.read_text()
    for budget, message in (("MAX_RAM", "RAM: "), ("MAX_FLASH", "flash: "), ("MAX_STACK", "stack: ")):
        project.write_text(re.sub(budget + r" \w+", budget + " 16", text, count=1))
        said = run("cmake", "--build", "build", cwd=folder, env=environment, may_fail=True)
        expect(f"lathe: error: {message}" in said and "but the budget is 16" in said, f"{budget} 16 stops the build for {board}: {said}")
    project.write_text(text)
    run("cmake", "--build", "build", cwd=folder, env=environment)


def check(prefix, scratch):
    """Uses the Lathe installed in `prefix`. Returns the number of boards whose tools are there."""
    tested = 0
    environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    environment.pop("MAKEFLAGS", None)
    for board, tools in BOARDS.items():
        missing = [tool for tool in tools.split() if shutil.which(tool) is None]
        if missing:
            print(f"skipped: {board} needs {', '.join(missing)}")
            continue
        for sample in WANTED:
            folder = scratch / board / sample
            shutil.copytree(prefix / "share/doc/lathe/samples" / sample, folder)
            build_and_run(board, folder, environment)
        exceed_budgets(board, scratch / board / "firmware", environment)
        tested += 1
    return tested


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        prefix = scratch / "prefix"
        run("cmake", "--install", sys.argv[1], "--prefix", prefix)
        tested = check(prefix, scratch)
    print(f"firmware: {tested} of {len(BOARDS)} boards passed")


if __name__ == "__main__":
    main()
