#!/usr/bin/env python3
"""Compares `lathe ops --from onnx` with the operators of the installed ONNX: compare_schemas.py LATHE

Prints the operators that ONNX defines and Lathe does not support, or supports from a later version on, and ends with 1 if there
are any but those in ALLOWED; with 77 where Python's onnx is missing.
"""
import re
import subprocess
import sys

SKIPPED = 77
try:
    import onnx.defs
except ImportError:
    print("skipped: onnx is missing")
    sys.exit(SKIPPED)

DOMAINS = ("", "ai.onnx.preview", "ai.onnx.preview.training")
# Files of images, and derivatives of other nodes.
ALLOWED = {"ai.onnx.ImageDecoder", "ai.onnx.preview.training.Gradient"}
# Operators whose first version is something else: Tile repeated one axis.
LATER = {"ai.onnx.Tile": 6}


def wanted():
    """The first version of each operator, by name, without those that are deprecated."""
    first = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain in DOMAINS:
            name = "%s.%s" % (schema.domain or "ai.onnx", schema.name)
            first[name] = min(first.get(name, schema.since_version), schema.since_version)
    current = {"%s.%s" % (s.domain or "ai.onnx", s.name) for s in onnx.defs.get_all_schemas() if not s.deprecated}
    return {name: version for name, version in first.items() if name in current}


def supported(lathe):
    text = subprocess.run([lathe, "ops", "--from", "onnx"], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^(\S+) \(version (\d+)", text, re.MULTILINE)
    return {name: int(version) for name, version in rows}


def main():
    ours, missing = supported(sys.argv[1]), []
    for name, version in sorted(wanted().items()):
        if name in ALLOWED:
            continue
        if name not in ours:
            missing.append("%s is not supported" % name)
        elif ours[name] > max(version, LATER.get(name, 0)):
            missing.append("%s is supported from version %d on, and begins with %d" % (name, ours[name], version))
    print("\n".join(missing) or "all operators of ONNX %s are there" % onnx.__version__)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
