"""Generates random ONNX models, and compares what Lathe makes of them.

    python3 run.py LATHE_ONNX FOLDER [--count N] [--seed S] [--chunk N] [--oracles] [--interp]
                   [--target NAME] [--from generate|grid|vary|microsoft] [--nodes LOW-HIGH]

Each chunk of models is evaluated by the interpreter, and compiled as C under AddressSanitizer and
UndefinedBehaviorSanitizer, and the two are compared; with --oracles also with what ONNX Runtime and
ONNX's reference say, where these packages are installed. --interp compiles nothing. --target
generates for another target whose C this machine compiles, such as cortex-m4f. --nodes is the size
of the graphs of generate.py. --from names the generator; of those other than generate.py, models
that ONNX Runtime refuses or that neither evaluates are counted apart. Ends with 1 where something
differs that explained.list does not name and where the two oracles agree, and prints how many
models passed, were not supported, were explained.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

SKIPPED = 77
UNSUPPORTED = "unsupported: "
HERE = os.path.dirname(os.path.abspath(__file__))
SANITIZED = "-O0 -g0 -fsanitize=address,undefined -fno-sanitize-recover=all"


def explained():
    """Pairs of patterns, of a model's problem and of its operators, with the reason."""
    rows = []
    with open(os.path.join(HERE, "explained.list")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                operators, problem, reason = (part.strip() for part in line.split(" | "))
                rows.append((re.compile(operators), re.compile(problem), reason))
    return rows


def has_oracles():
    try:
        import numpy, onnx, onnxruntime  # noqa: F401,E401
    except ImportError as missing:
        print("skipped: no oracles, the interpreter alone: %s" % missing)
        return False
    return True


def compiler():
    for cc in ("clang", "gcc"):
        if shutil.which(cc):
            return cc
    raise SystemExit("no C compiler")


def problems(lathe_onnx, folder, args, batch, only=""):
    """What is wrong with each model of the folder; "unsupported: ..." where it is not supported."""
    done = subprocess.run(
        [lathe_onnx, folder, "--graphs", "--verbose", "--work", folder + "_c", "--cc", compiler(),
         "--cflags", args.cflags, "--target", args.target, "--batch", str(batch), "--only", only] +
        (["--interp"] if args.interp else []),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    found = {}
    for line in done.stdout.splitlines():
        name, tab, what = line.partition("\t")
        if tab and name.startswith("test_"):
            found[name] = "" if what == "pass" else what
    if done.returncode not in (0, 1):
        print(done.stdout[-2000:])
        raise SystemExit("lathe_onnx ended with %d" % done.returncode)
    shutil.rmtree(folder + "_c", ignore_errors=True)
    return found


# What ONNX Runtime says of models that are right, but that it has no code for.
NO_CODE = re.compile("NOT_IMPLEMENTED|not a registered function|No corresponding Numpy type|"
                     "bfloat16 outputs|under development|no plain values|pybind|^[A-Z][A-Za-z0-9]+ ")


def says_nothing(verdict, why):
    """Whether the oracles leave open what a varied case gives, or refuse it."""
    return verdict == "none" or (verdict == "reference" and not NO_CODE.search(why))


def is_as_reference(args, folder, name):
    """Whether Lathe gives what the reference does, where ONNX Runtime gives otherwise."""
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "oracle.py"), folder, "--prefer", "reference",
                    "--only", name, "--report", "again.txt"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return problems(args.lathe_onnx, folder, args, 1, name) == {name: ""}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lathe_onnx")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chunk", type=int, default=100)
    parser.add_argument("--batch", type=int, default=25)
    parser.add_argument("--cflags", default=SANITIZED)
    parser.add_argument("--target", default="generic-c99")
    parser.add_argument("--oracles", action="store_true")
    parser.add_argument("--interp", action="store_true")
    parser.add_argument("--nodes", default="")
    parser.add_argument("--from", dest="generator", default="generate",
                        choices=("generate", "grid", "vary", "microsoft"))
    args = parser.parse_args()
    rows, oracles = explained(), args.oracles and has_oracles()
    strict = args.generator == "generate"
    if not strict and not oracles:
        print("skipped: %s.py needs --oracles, onnx and onnxruntime" % args.generator)
        return SKIPPED
    tally = {"pass": 0, "unsupported": 0, "explained": 0, "unexplained": 0, "undecided": 0}
    verdicts, reasons = {}, {}
    generator = os.path.join(HERE, args.generator + ".py")
    for start in range(args.seed, args.seed + args.count, args.chunk):
        count = min(args.chunk, args.seed + args.count - start)
        folder = os.path.join(args.folder, "models_%d" % start)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-B", generator, folder, "--count",
                        str(count), "--seed", str(start)] +
                       (["--nodes", args.nodes] if args.nodes else []), check=True)
        count = len(os.listdir(folder))
        if count == 0:
            continue
        known = {}
        if oracles:
            subprocess.run([sys.executable, "-B", os.path.join(HERE, "oracle.py"), folder], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(os.path.join(folder, "oracle.txt")) as file:
                for line in file:
                    name, verdict, why, operators = line.rstrip("\n").split("\t")
                    undecided = not strict and says_nothing(verdict, why)
                    known[name] = ("undecided" if undecided else verdict, operators)
                    verdicts[verdict] = verdicts.get(verdict, 0) + 1
        wrong = []
        found = problems(args.lathe_onnx, folder, args, args.batch)
        if len(found) != count:
            raise SystemExit("%d models of %d were looked at" % (len(found), count))
        for name, problem in sorted(found.items()):
            verdict, operators = known.get(name, ("interpreter", ""))
            if verdict == "undecided":
                tally["undecided"] += 1
            elif problem.startswith(UNSUPPORTED):
                tally["unsupported"] += 1
                reason = re.sub("'[^']*'|[0-9]+", "#", problem[len(UNSUPPORTED):])[:100]
                reasons.setdefault(reason, []).append(name)
            elif not problem:
                tally["pass"] += 1
            elif any(o.search(operators) and p.search(problem) for o, p, _ in rows):
                tally["explained"] += 1
            elif verdict == "differ" and is_as_reference(args, folder, name):
                tally["explained"] += 1
            else:
                tally["unexplained"] += 1
                wrong.append(name)
                print("%s\t%s\t%s" % (os.path.join(folder, name), verdict, problem))
        for name in found:
            if name not in wrong:
                shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
        if not wrong:
            shutil.rmtree(folder, ignore_errors=True)
    for reason, names in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
        print("%5d unsupported: %s: %s" % (len(names), reason, " ".join(names[:3])))
    print(", ".join("%s %d" % pair for pair in tally.items()))
    if verdicts:
        print("oracles: " + ", ".join("%s %d" % pair for pair in sorted(verdicts.items())))
    return 1 if tally["unexplained"] else 0


if __name__ == "__main__":
    sys.exit(main())
