#!/usr/bin/env python3
"""Fails when an #include under generator/ points up or sideways: check_layers.py [ROOT]

layers.txt has the order of the layers and of the rooms inside them.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
layer_rank = {}
room_rank = {}  # layer -> room -> rank
for line in (root / "tests/style/layers.txt").read_text().splitlines():
    line = line.split("#")[0].strip()
    if ":" in line:
        layer, rooms = line.split(":")
        room_rank[layer] = {name: rank for rank, level in enumerate(rooms.split("<")) for name in level.split()}
    elif line:
        rank = len(set(layer_rank.values()))
        layer_rank.update({name: rank for name in line.split()})


def room_of(folders):
    """The room of `folders`, the path below a layer: the listed folder that is nearest."""
    rooms = room_rank.get(folders[0], {})
    for length in range(len(folders), 1, -1):
        name = "/".join(folders[1:length])
        if name in rooms:
            return name
    return "."


def may_include(here, there):
    if there[0] not in layer_rank:
        return False
    if here[0] != there[0]:
        return layer_rank[there[0]] < layer_rank[here[0]]
    mine, other = room_of(here), room_of(there)
    if mine == other:
        return True
    # A reader is alone: relax_text/ never sees onnx/. import/ serves all readers.
    if here[0] == "reader" and "." not in (mine, other) and other != "import" and mine.split("/")[0] != other.split("/")[0]:
        return False
    rooms = room_rank[here[0]]
    return rooms[other] < rooms[mine]


bad = []
files = 0
for file in sorted((root / "generator").rglob("*.*")):
    if file.suffix not in (".h", ".cc", ".def"):
        continue
    files += 1
    path = file.relative_to(root)
    here = path.parts[1:-1]
    if here[0] not in layer_rank:
        bad.append(f"{path}: {here[0]}/ is not in tests/style/layers.txt")
        continue
    if here[0] in room_rank and room_of(here) not in room_rank[here[0]]:
        bad.append(f"{path}: a room of {here[0]}/ that tests/style/layers.txt does not list; move it to one that it lists")
        continue
    for number, text in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'#include "([^"]+)"', text)
        if not include:
            continue
        parts = include[1].split("/")
        if parts[0] == "generator":
            if not may_include(here, parts[1:-1]):
                bad.append(f"{path}:{number}: {'/'.join(here)}/ may not include {'/'.join(parts[1:-1])}/")
        elif parts[0] in ("tests", "runtime-c", "templates"):
            bad.append(f"{path}:{number}: generator/ may not include {parts[0]}/")

print("\n".join(bad) or f"layers: clean, {files} files")
sys.exit(bool(bad) or not files)
