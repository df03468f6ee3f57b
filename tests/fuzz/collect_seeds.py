#!/usr/bin/env python3
"""Collects the programs of this repository as seeds for the fuzz targets: collect_seeds.py OUT

Examples of docs/diagnostics, samples, and the programs inside tests/**/*.txt, a file each, those of at
most 4 KiB.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 4096


def programs():
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for program in re.findall(r"```python[^\n]*\n(.*?)```", page.read_text(), re.S):
            yield page.stem, program
    for sample in sorted((ROOT / "samples").rglob("*.py")):
        yield sample.stem, sample.read_text()
    for text in sorted((ROOT / "tests").rglob("*.txt")):
        for program in re.findall(r"^-- \S+\.py --\n(.*?)(?=^-- |\Z)", text.read_text(), re.S | re.M):
            yield text.stem, program


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    seen = set()
    for name, program in programs():
        if program in seen or len(program) > LARGEST:
            continue
        seen.add(program)
        (out / f"{name}-{len(seen)}.py").write_text(program)
    print(f"{len(seen)} programs in {out}")


if __name__ == "__main__":
    main()
