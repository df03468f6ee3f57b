#!/usr/bin/env python3
"""Runs the commands that the documents show and compares the output: shown_commands.py LATHE ROOT

A command is an indented line "$ lathe ..." with what it prints below it. Each word of the shown
output must be in the real output, in the same order; "..." stands for anything. A document runs in
a folder of its own, with the samples, and with the models that its Python blocks write. Blocks are
skipped, and said to be, if `onnx`, an emulator or a compiler is not installed. Ends with 77 if all
blocks were skipped.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
COMMAND = "    $ lathe "


def blocks(text):
    """The commands of a document and the lines shown below each; Python blocks as (code, None)."""
    found, shown, code = [], None, None
    for line in text.split("\n"):
        if line.startswith("```"):
            if code:
                found.append(("\n".join(code[1:]), None))
            code = [line] if line == "```python" and code is None else None
        elif code is not None:
            code.append(line)
        elif line.startswith(COMMAND):
            shown = []
            found.append((line.strip()[2:], shown))
        elif line.startswith("    ") and shown is not None:
            shown.append(line[4:])
        elif line:
            shown = None
    return found


def differs(shown, real):
    """The first shown word that the real output lacks, or nothing."""
    words, at = real.split(), 0
    for line in shown:
        for word in line.split():
            prefix = word.split("...")[0] if "..." in word else None
            if prefix == "":
                continue
            while at < len(words) and not (words[at].startswith(prefix) if prefix else words[at] == word):
                at += 1
            if at == len(words):
                return "'%s' of: %s" % (word, line.strip())
            at += 1
    return ""


def missing(command):
    """The tool that a command needs and this machine lacks."""
    words = shlex.split(command)
    tools = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--cc"]
    if "--on" in words:
        tools += ["qemu-system-arm", "arm-none-eabi-gcc"]
    return next((tool for tool in tools if not shutil.which(tool)), "")


def python_with_onnx():
    for python in ("python3", sys.executable):
        if subprocess.run([python, "-c", "import onnx, numpy"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return python
    return ""


def run_document(lathe, root, path, report):
    found = blocks(path.read_text())
    if not any(shown is not None for _, shown in found):
        return
    writes = any(shown is None and "onnx" in code for code, shown in found)
    python = python_with_onnx() if writes else ""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(root / "samples", Path(folder) / "samples")
        for text, shown in found:
            if shown is None:
                if python and "onnx" in text:
                    subprocess.run([python, "-c", text], cwd=folder, check=True)
                continue
            name = "%s: %s" % (path.relative_to(root), text)
            lacks = "the package onnx" if writes and not python and "samples/" not in text else missing(text)
            if lacks:
                report["skipped"] += 1
                print("skipped, for lack of %s: %s" % (lacks, name))
                continue
            words = [lathe] + shlex.split(text)[1:]
            done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False)
            wrong = differs(shown, done.stdout)
            report["failed" if wrong else "passed"] += 1
            if wrong:
                print("%s\n  lacks %s\n%s" % (name, wrong, done.stdout))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("root")
    arguments = parser.parse_args()
    root = Path(arguments.root).resolve()
    report = {"passed": 0, "failed": 0, "skipped": 0}
    for path in [root / "README.md"] + sorted((root / "docs").rglob("*.md")):
        run_document(str(Path(arguments.lathe).resolve()), root, path, report)
    print("%(passed)d commands print what is shown, %(failed)d do not, %(skipped)d skipped" % report)
    if report["failed"] or report["passed"] + report["skipped"] == 0:
        return 1
    return 0 if report["passed"] else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
