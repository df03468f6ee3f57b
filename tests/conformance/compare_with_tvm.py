#!/usr/bin/env python3
"""Asks TVM itself whether what Lathe prints is the program that Lathe read.

    lathe_conformance MANIFEST.json --printed PRINTED
    compare_with_tvm.py MANIFEST.json PRINTED [--json OUT.json] [--only TEXT]

Needs a Python with apache-tvm 0.26 (`pip install apache-tvm==0.26.0 apache-tvm-ffi==0.1.13.post2`);
without it nothing is compared and that is said. For every program that TVM's parser accepts, its
parser must accept PRINTED/<name>.0.26.py too and find it structurally equal. Each program is judged
in a process of its own, since some of them end TVM.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from run_isolated import run_isolated  # noqa: E402

SECONDS = 60
IMPORT = re.compile(r"^(from|import) .*$", re.MULTILINE)


def read(text):
    """TVM's reading of a text, its import lines left out: TVM knows I, R and T without them."""
    import tvm
    import tvm.script
    return tvm.script.from_source(IMPORT.sub("", text), check_well_formed=False)


def first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (type(error).__name__ + ": " + lines[0])[:300] if lines else type(error).__name__


def judge(source, printed):
    import tvm
    import tvm_ffi
    try:
        wanted = read(source)
    except BaseException as error:  # pylint: disable=broad-except
        return "tvm refuses the source", first_line(error)
    if printed is None:
        return "lathe refuses the source", ""
    try:
        got = read(printed)
    except BaseException as error:  # pylint: disable=broad-except
        return "tvm refuses the print", first_line(error)
    if not isinstance(wanted, tvm.IRModule):
        functions = list(got.functions.values())
        if len(functions) != 1:
            return "different", f"{len(functions)} functions"
        got = functions[0]
    if tvm_ffi.structural_equal(wanted, got, map_free_vars=True):
        return "same", ""
    mismatch = tvm_ffi.get_first_structural_mismatch(wanted, got, map_free_vars=True)
    return "different", " ".join(str(mismatch).split())[:600]


def isolated(source, printed):
    found, status = run_isolated(lambda: judge(source, printed), SECONDS)
    if os.WIFSIGNALED(status) or found is None:
        return "tvm ends", f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else ""
    return tuple(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("printed", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    try:
        import tvm
        import tvm.script
    except ImportError as error:
        print(f"nothing compared: {error}")
        return 0
    results = []
    programs = json.loads(args.manifest.read_text())["programs"]
    for program in programs:
        if args.only not in program["file"] or not program["pure"] or program["raises"]:
            continue
        source = (args.manifest.parent / program["file"]).read_text()
        path = args.printed / (pathlib.Path(program["file"]).stem + ".0.26.py")
        printed = path.read_text() if path.exists() else None
        verdict, why = isolated(source, printed)
        results.append({"file": program["file"], "verdict": verdict, "why": why})
    counts = collections.Counter(r["verdict"] for r in results)
    accepted = sum(n for v, n in counts.items() if v not in ("tvm refuses the source", "tvm ends"))
    print(f"compared with TVM {tvm.__version__}: {len(results)} pure programs, of which TVM accepts "
          f"{accepted} as text of its own")
    for verdict, count in counts.most_common():
        print(f"{count:6d} {verdict}")
    for verdict in ("tvm refuses the print", "different"):
        whys = collections.Counter(re.sub(r"\d+", "#", r["why"])[:160]
                                   for r in results if r["verdict"] == verdict)
        for why, count in whys.most_common(20):
            print(f"  {verdict}: {count:4d} {why}")
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
