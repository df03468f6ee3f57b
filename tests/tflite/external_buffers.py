#!/usr/bin/env python3
"""Checks models whose weights are in other files: external_buffers.py LATHE

The results are those of the same model with its weights inside. Files outside of the folder of the
model, ranges outside of a file, packed data and unknown numbers are refused.
"""
import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from compiled_bytes import CompiledBytes
from model_writer import Model, Operator, Subgraph, Tensor, options

ADD = 0
WEIGHTS = struct.pack("<8f", *(k / 4 for k in range(8)))


def model(weights, external=()):
    x, y = Tensor("x", [4]), Tensor("y", [4])
    graph = Subgraph([x], [y], [Operator(ADD, [x, weights], [y], options(11))])
    return Model([graph], external=external).write()


def outside(number=1, file="w.bin", offset=8, length=16, packing="", of_tensor=1):
    return model(Tensor("w", [4], external=of_tensor), [(number, file, offset, length, packing)])


def refused_cases():
    """Name, model, exit code, a part of the message."""
    yield "no file", outside(file="none.bin"), 2, "'none.bin', which does not exist"
    yield "parent", outside(file="../w.bin"), 2, "not a file in the folder"
    yield "absolute", outside(file="/etc/passwd"), 2, "not a file in the folder"
    yield "link", outside(file="link.bin"), 2, "not a file in the folder"
    yield "folder", outside(file="."), 2, "not a file in the folder"
    yield "no name", outside(file=""), 2, "not a file in the folder"
    yield "offset", outside(offset=20), 2, "16 bytes at byte 20 of 'w.bin', which has 32"
    yield "huge offset", outside(offset=2**64 - 8), 2, "of 'w.bin', which has 32"
    yield "length", outside(length=12), 2, "needs 16 bytes of data and has 12"
    yield "packing", outside(packing="zip"), 3, "packed as 'zip'"
    yield "number", outside(of_tensor=2), 2, "external buffer 2, which the model does not list"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    arguments = parser.parse_args()
    failed, total = [], 1
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.tflite")
        pathlib.Path(folder, "w.bin").write_bytes(WEIGHTS)
        os.symlink("/etc/hostname", pathlib.Path(folder, "link.bin"))
        results = []
        for data in (model(Tensor("w", [4], data=WEIGHTS[8:24])), outside()):
            path.write_bytes(data)
            made = CompiledBytes(arguments.lathe, str(path), os.path.join(folder, "out"))
            results.append(made.run_bytes([WEIGHTS[:16]]))
        if results[0] != results[1]:
            failed.append("other results than with the weights inside")
        for name, data, code, part in refused_cases():
            total += 1
            path.write_bytes(data)
            made = subprocess.run([arguments.lathe, "check", path], capture_output=True, text=True,
                                  timeout=60)
            if made.returncode != code or part not in made.stderr:
                failed.append("%s: expected '%s', got exit code %d: %s" % (
                    name, part, made.returncode, made.stderr))
    print("\n".join(failed + ["%d passed, %d failed" % (total - len(failed), len(failed))]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
