#!/usr/bin/env python3
"""Fails when an #include under generator/ points up or sideways (layers.txt)."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
rank = {}
level = 0
for line in (root / "tests/style/layers.txt").read_text().splitlines():
    names = line.split("#")[0].split()
    rank.update({name: level for name in names})
    level += bool(names)

bad = []
for file in sorted((root / "generator").rglob("*.*")):
    if file.suffix not in (".h", ".cc", ".def"):
        continue
    path = file.relative_to(root)
    here = path.parts[1]
    if here not in rank:
        bad.append(f"{path}: {here}/ is not in tests/style/layers.txt")
        continue
    for number, text in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'#include "([^"]+)"', text)
        if not include:
            continue
        parts = include[1].split("/")
        if parts[0] == "generator":
            there = parts[1]
            # A reader is alone: relax_text/ never sees onnx/.
            sideways = there == here == "reader" and len(parts) > 3 and parts[2] != path.parts[2] and len(path.parts) > 3
            if there not in rank or (there != here and rank[there] >= rank[here]) or sideways:
                bad.append(f"{path}:{number}: {here}/ may not include {'/'.join(parts[1:-1])}/")
        elif parts[0] in ("tests", "runtime-c", "templates"):
            bad.append(f"{path}:{number}: generator/ may not include {parts[0]}/")

print("\n".join(bad) or "layers: clean")
sys.exit(bool(bad))
