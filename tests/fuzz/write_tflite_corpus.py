#!/usr/bin/env python3
"""Writes tests/fuzz/corpus/tflite: small models of each family of operators, for mutations to begin with.

    write_tflite_corpus.py FOLDER
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tflite"))
from grid.families import FAMILIES, cases_of  # noqa: E402
from grid.run_cases import model_of  # noqa: E402

LARGEST = 2048


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(FAMILIES):
        for case in cases_of(name, 8):
            data, _ = model_of([case])
            if len(data) <= LARGEST:
                (folder / (name.replace("/", "_") + ".tflite")).write_bytes(data)
                break


if __name__ == "__main__":
    main()
