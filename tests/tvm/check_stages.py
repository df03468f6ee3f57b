#!/usr/bin/env python3
"""Compares with TVM 0.27 itself: check_stages.py LATHE [--every N] [--only REGEX] [--list]

Builds a module of each operator (operator_modules.py) and reads the programs of programs.txtar, applies TVM's passes up to its virtual
machine, and prints what each pass leaves. Lathe must accept every text that TVM itself reads back as the module it printed, and TVM must
read what `lathe inspect --dialect 0.27` makes of it as the same module. Texts that TVM does not read back are only counted. `--every N`
takes one module in N. Ends with 77 where there is no TVM 0.27.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
SECONDS = 600
HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "support"))

from run_isolated import run_isolated  # noqa: E402


def programs():
    parts = re.split(r"^-- (\S+) --$", (HERE / "programs.txtar").read_text(), flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2]))


def read(text):
    import tvm.script
    return tvm.script.from_source(text, check_well_formed=False)


def stages(module):
    """(name, module) of what each pass leaves; a pass that TVM fails in ends its road."""
    import tvm
    from tvm import relax
    from tvm.relax import transform
    target = tvm.target.Target("llvm")

    def along(module, passes):
        for name, one in passes:
            try:
                with target:
                    module = one(module)
            except Exception:  # pylint: disable=broad-except
                return
            yield name, module

    yield "base", module
    for name in ("CanonicalizeBindings", "ToNonDataflow", "LambdaLift", "DecomposeOpsForInference", "BundleModelParams",
                 "LiftTransformParams", "ExpandTupleArguments", "DataflowUseInplaceCalls"):
        yield from along(module, [(name, getattr(transform, name)())])
    yield from along(module, [("Gradient", transform.Gradient("main"))])
    legal = None
    for legal in along(module, [("DispatchSortScan", relax.backend.DispatchSortScan()), ("LegalizeOps", transform.LegalizeOps())]):
        pass
    if legal is None:
        return
    yield legal
    fused = None
    for fused in along(legal[1], [("AnnotateTIROpPattern", transform.AnnotateTIROpPattern()), ("FuseOps", transform.FuseOps()),
                                  ("FuseTIR", transform.FuseTIR())]):
        yield fused
    late = ("RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", "LowerAllocTensor",
            "KillAfterLastUse", "LowerRuntimeBuiltin", "ComputePrimValue", "VMShapeLower", "AttachGlobalSymbol")
    for start, tag in ((legal, ""), (fused, "fused.")):
        if start is not None:
            yield from along(start[1], [(f"late.{tag}{name}", getattr(transform, name)()) for name in late])
    lowered = [(name, getattr(tvm.s_tir.transform, name)()) for name in ("LowerInitBlock", "ConvertBlocksToOpaque", "LowerOpaqueBlock")]
    yield from along(legal[1], lowered)


def texts(module):
    """(stage, text, whether TVM reads it back); each text once."""
    import tvm_ffi
    seen = set()
    for stage, one in stages(module):
        text = one.script()
        if "metadata[" in text:
            text = one.script(show_meta=True)
        if text in seen:
            continue
        seen.add(text)
        try:
            same = bool(tvm_ffi.structural_equal(one, read(text), map_free_vars=True))
        except BaseException:  # pylint: disable=broad-except
            same = False
        yield stage, text, same


def printed_difference(text, printed):
    """What TVM has against what Lathe printed for `text`; nothing when it is the same module."""
    import tvm_ffi
    wanted = read(text)
    try:
        got = read(printed)
    except BaseException as error:  # pylint: disable=broad-except
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return "TVM refuses the print: " + (lines[0] if lines else type(error).__name__)
    if tvm_ffi.structural_equal(wanted, got, map_free_vars=True):
        return ""
    mismatch = tvm_ffi.get_first_structural_mismatch(wanted, got, map_free_vars=True)
    return "TVM reads another module: " + " ".join(str(mismatch).split())[:200]


def verdicts(lathe, name, make):
    """(file, stage, verdict, why) for each text of one module."""
    try:
        module = make()
    except Exception as error:  # pylint: disable=broad-except
        return [(name, "base", "not built", " ".join(str(error).split())[:160])]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for stage, text, same in texts(module):
            path = pathlib.Path(folder) / f"{name}.{stage}.py"
            path.write_text(text)
            check = subprocess.run([lathe, "check", path], capture_output=True, text=True, check=False, timeout=SECONDS)
            said = [line for line in (check.stdout + check.stderr).splitlines() if " error: " in line]
            why = said[0].split(" error: ")[1] if said else f"exit code {check.returncode}"
            if not same:
                results.append((path.name, stage, "not read back by TVM, " + ("accepted" if check.returncode == 0 else "refused"), why))
            elif check.returncode != 0:
                results.append((path.name, stage, "refused", why))
            else:
                inspect = subprocess.run([lathe, "inspect", path, "--dialect", "0.27"], capture_output=True, text=True, check=False, timeout=SECONDS)
                why = printed_difference(text, inspect.stdout) if inspect.returncode == 0 else inspect.stderr[:200]
                results.append((path.name, stage, "same" if not why else "printed otherwise", why))
    return results


def isolated(*args):
    """`verdicts` in a process of its own: some modules end TVM."""
    found, _ = run_isolated(lambda: verdicts(*args), SECONDS)
    return [tuple(one) for one in found] if found is not None else [(args[1], "base", "TVM ends", "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lathe", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true", help="name every text that is not the same")
    args = parser.parse_args()
    try:
        import tvm
        import tvm.script
    except ImportError as error:
        print(f"no TVM, nothing compared: {error}")
        return SKIPPED
    if not tvm.__version__.startswith("0.27"):
        print(f"TVM {tvm.__version__} is not 0.27, nothing compared")
        return SKIPPED
    os.environ["TVM_NUM_THREADS"] = "1"
    import operator_modules
    modules = list(operator_modules.modules())
    modules += [(name, lambda text=text: read(text)) for name, text in programs()]
    wanted = [one for i, one in enumerate(modules) if i % args.every == 0 and re.search(args.only, one[0])]
    counts, failed = collections.Counter(), 0
    for name, make in wanted:
        for file, stage, verdict, why in isolated(args.lathe.resolve(), name, make):
            group = "late" if stage.startswith("late") else stage if stage in ("base", "LegalizeOps", "FuseTIR") else "other passes"
            counts[group, verdict] += 1
            wrong = verdict in ("refused", "printed otherwise")
            failed += wrong
            if wrong or (args.list and verdict != "same"):
                print(f"{file}: {verdict}: {why}")
    print(f"TVM {tvm.__version__}: {len(wanted)} modules")
    for (group, verdict), count in sorted(counts.items()):
        print(f"{count:6d} {group}: {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
