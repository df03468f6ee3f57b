#!/usr/bin/env python3
"""For each of the 24 rules of well-formed programs: programs here that break it in at least three ways, each refused
with its code, and one that keeps it and is accepted. The text files in this folder are run by lathe_test."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
WAYS = 3
# The codes that tell of each rule.
RULES = {
    1: {"dataflow-var-scope"},
    2: {"var-not-bound-once", "duplicate-parameter", "var-before-binding"},
    3: {"var-before-binding"},
    4: {"return-shape-var-scope"},
    5: {"shape-var-before-binding"},
    6: {"shape-var-not-bound-in-signature"},
    7: {"control-flow-in-dataflow"},
    8: {"recursion-needs-return-annotation"},
    9: {"op-not-called"},
    10: {"annotation-ndim-mismatch"},
    11: {"dataflow-var-captured"},
    12: {"no-entry-point"},
    13: {"global-symbol-mismatch", "private-global-symbol"},
    14: {"tensor-shape-annotation", "shape-var-before-binding", "annotation-ndim-mismatch"},
    15: {"shape-values-scope", "shape-var-before-binding", "annotation-ndim-mismatch"},
    16: {"prim-value-scope", "shape-var-before-binding"},
    17: {"func-info-params-and-derive"},
    18: {"prim-value-lanes"},
    19: {"prim-annotation-dtype"},
    20: {"dtype-not-supported"},
    21: {"force-pure-on-impure"},
    22: {"prim-annotation-value-dtype"},
    23: {"op-call-not-normal"},
    24: {"vdevice-not-declared"},
}


def runs(text):
    """What each `check` prints, and its exit code."""
    sections = re.split(r"(?m)^-- (.+?) --\n", text)
    args, found = None, []
    for name, body in zip(sections[1::2], sections[2::2]):
        if name == "args":
            args = body.strip()
            if args.startswith("check "):
                found.append({"stderr": "", "exit": "0"})
        elif args is not None and args.startswith("check ") and name in ("stderr", "exit"):
            found[-1][name] = body
    return found


bad = []
for rule, codes in RULES.items():
    refused, accepted = set(), 0
    for file in sorted(HERE.glob(f"rule_{rule:02}_*.txt")):
        for run in runs(file.read_text()):
            accepted += run["exit"].strip() == "0"
            for line in run["stderr"].splitlines():
                place = re.match(r"(\S+:\d+:\d+): error: .*\[(.+)\]$", line)
                if place and place[2] in codes:
                    refused.add((file.name, place[1]))
    if len(refused) < WAYS:
        bad.append(f"rule {rule}: broken in {len(refused)} places ({', '.join(sorted(codes))}), wanted {WAYS}")
    if not accepted:
        bad.append(f"rule {rule}: no program that keeps it")

print("\n".join(bad) or f"rules: {len(RULES)}, each broken in {WAYS} ways or more, and kept")
sys.exit(bool(bad))
