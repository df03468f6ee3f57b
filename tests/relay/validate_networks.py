#!/usr/bin/env python3
"""Compiles the networks of networks.py and compares the C code with the interpreter:
validate_networks.py LATHE [TARGET...]"""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    lathe, targets = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or ["generic-c99"]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, HERE / "networks.py", folder], check=True)
        paths = sorted(pathlib.Path(folder).glob("*.relay"))
        for path in paths:
            for target in targets:
                done = subprocess.run([lathe, "validate", path, "-t", target, "--data", "random:seed=7"],
                                      capture_output=True, text=True)
                good = done.returncode == 0 and "PASS" in done.stdout
                failures += not good
                print(path.name, target, "ok" if good else done.stdout + done.stderr, flush=True)
    print(f"{len(paths)} networks, {failures} failures")
    return 1 if failures or len(paths) != 5 else 0


if __name__ == "__main__":
    sys.exit(main())
