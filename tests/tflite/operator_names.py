#!/usr/bin/env python3
"""Compares the numbers and names of operators with the schema of LiteRT: operator_names.py LATHE [--litert PYTHON]

Every operator of the schema has to be listed, computed or refused with a reason. Ends with 77 where LiteRT
is not installed.
"""
import argparse
import json
import subprocess
import sys

SKIPPED = 77
LISTING = """
import json
from ai_edge_litert.schema_py_generated import BuiltinOperator
print(json.dumps({k: v for k, v in vars(BuiltinOperator).items() if not k.startswith("_")}))
"""
CUSTOM = 32


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    parser.add_argument("--litert", default=sys.executable)
    arguments = parser.parse_args()
    made = subprocess.run([arguments.litert, "-c", LISTING], capture_output=True, text=True)
    if made.returncode != 0:
        print("skipped: LiteRT is not installed")
        return SKIPPED
    schema = {(name, number) for name, number in json.loads(made.stdout).items() if number != CUSTOM}
    rows = json.loads(subprocess.run([arguments.lathe, "ops", "--from", "tflite", "--json"],
                                     capture_output=True, text=True, check=True).stdout)["operators"]
    listed = {(row["name"], row["number"]) for row in rows if row.get("number", CUSTOM) != CUSTOM}
    wrong = sorted(schema ^ listed)
    for name, number in wrong:
        print("%s (%d) is only in %s" % (name, number,
                                         "the schema" if (name, number) in schema else "lathe"))
    refused = [row for row in rows if not row["supported"]]
    unexplained = [row["name"] for row in refused if not row.get("reason")]
    for name in unexplained:
        print("%s is refused without a reason" % name)
    print("%d operators of the schema, %d computed, %d refused" %
          (len(schema), len(rows) - len(refused), len(refused)))
    return 1 if wrong or unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
