#!/usr/bin/env python3
"""Compiles the programs of the text cases with AddressSanitizer and UndefinedBehaviorSanitizer:
validate_sanitized.py LATHE

Runs each `validate` command of tests/relay/*.txt with these flags in place of its own.
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FLAGS = "-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all"


def cases():
    """Files of a program and the words of its command."""
    for path in sorted(pathlib.Path(__file__).parent.glob("*.txt")):
        files = {}
        sections = re.split(r"(?m)^-- (\S+) --\n", path.read_text())[1:]
        for name, text in zip(sections[::2], sections[1::2]):
            if "." in name:
                files[name] = text
            elif name == "args" and text.startswith("validate "):
                words = shlex.split(text)
                if "--cflags" in words:
                    del words[words.index("--cflags"):words.index("--cflags") + 2]
                used = {n: t for n, t in files.items() if n in words or not n.endswith(".relay")}
                yield path.name, used, words + ["--cflags", FLAGS]


def run(lathe, case):
    path, files, words = case
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text)
        done = subprocess.run([lathe, *words], cwd=folder, capture_output=True, text=True)
    if "Sanitizer" in done.stderr + done.stdout or "runtime error" in done.stderr + done.stdout:
        return f"{path}: {' '.join(words[:2])}: {(done.stdout + done.stderr)[-1500:]}"
    return None


def main():
    lathe = os.path.abspath(sys.argv[1])
    all_cases = list(cases())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [f for f in pool.map(lambda case: run(lathe, case), all_cases) if f]
    print("\n".join(failures))
    print(f"{len(all_cases)} programs, {len(failures)} with findings")
    return 1 if failures or not all_cases else 0


if __name__ == "__main__":
    sys.exit(main())
