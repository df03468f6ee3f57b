"""Generates random ONNX models, and compares what Lathe makes of them.

    python3 run.py LATHE_ONNX FOLDER [--count N] [--seed S] [--chunk N] [--oracles] [--interp]
                   [--target NAME] [--from generate|grid|vary|microsoft] [--nodes LOW-HIGH] [--runnable]
                   [--log FILE]

Each chunk of models is evaluated by the interpreter, and compiled as C under AddressSanitizer and
UndefinedBehaviorSanitizer, and the two are compared; with --oracles also with what ONNX Runtime and
ONNX's reference say, where these packages are installed. --interp compiles nothing. --target
generates for another target whose C this machine compiles, such as cortex-m4f. --nodes is the size
of the graphs of generate.py, and --runnable takes the nodes that ONNX Runtime runs. --from names
the generator. Models that neither oracle evaluates, or that ONNX Runtime refuses where the generator
is not generate.py, are counted as undecided, and those whose values the standard leaves open apart.
Ends with 1 where something differs that explained.list does not name and where the two oracles
agree, and prints how many models passed, were not supported, were explained, and by which reason.
--log has a line for each model: its name, the verdict of the oracles, how it ended, its operators,
what is wrong, and why the oracles say no more.
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
                     "MLDataType for|InsertedPrecisionFreeCast|CPU execution provider: |"
                     "bound to different types|does not support|core/providers/cpu/tensor/cast_op|"
                     "bfloat16 outputs|under development|no plain values|pybind|^[A-Z][A-Za-z0-9]+ ")


# How the interpreter and programs end with values that a node cannot take.
ENDED = re.compile("^run-|ended with LATHE_E_")


def says_nothing(verdict, why):
    """Whether the oracles leave open what a varied case gives, or refuse it."""
    return verdict == "none" or (verdict == "reference" and not NO_CODE.search(why))


def is_as_reference(args, folder, name):
    """Whether Lathe gives what the reference does, where ONNX Runtime gives otherwise."""
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "oracle.py"), folder, "--prefer", "reference",
                    "--only", name, "--report", "again.txt"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return problems(args.lathe_onnx, folder, args, 1, name) == {name: ""}


def is_equal_in_value(args, folder, name):
    """Whether Lathe gives the same numbers, where floats of 8 bits have other bytes."""
    copy = os.path.join(folder + "_floats", name)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(os.path.join(folder, name), copy)
    cast = subprocess.run([sys.executable, "-B", os.path.join(HERE, "as_floats.py"), copy], stderr=subprocess.DEVNULL)
    same = cast.returncode == 0 and problems(args.lathe_onnx, folder + "_floats", args, 1, name) == {name: ""}
    shutil.rmtree(folder + "_floats", ignore_errors=True)
    return same


def ending(args, rows, folder, name, problem, verdict, why, operators):
    """How a model ended, and the reason where that is one of several."""
    strict = args.generator == "generate"
    if "internal" in problem.lower():  # an error of the compiler, whatever the oracles say
        return "unexplained", ""
    if (verdict == "none" and args.interp) if strict else says_nothing(verdict, why):
        return "undecided", re.sub("[0-9]+", "#", why)[:100]
    if verdict == "open" and (args.interp or not problem or ENDED.search(problem)):
        return "open", why
    if problem.startswith(UNSUPPORTED):
        return "unsupported", re.sub("'[^']*'|[0-9]+", "#", problem[len(UNSUPPORTED):])[:100]
    if not problem:
        return "pass", ""
    for operator, pattern, reason in rows:
        if operator.search(operators) and pattern.search(problem):
            return "explained", reason
    if "values: " in problem and is_equal_in_value(args, folder, name):
        return "explained", "another sign of 0, or another NaN, of 8-bit floats"
    if verdict == "differ" and is_as_reference(args, folder, name):
        return "explained", "as the reference, and not as ONNX Runtime: " + operators
    return "unexplained", ""


def generate(args, folder, start, count):
    """Writes the models of the seeds, and returns their number."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-B", os.path.join(HERE, args.generator + ".py"), folder, "--count",
                    str(count), "--seed", str(start)] +
                   (["--nodes", args.nodes] if args.nodes else []) +
                   (["--runnable"] if args.runnable else []), check=True)
    return len(os.listdir(folder))


def ask_oracles(folder):
    """Of each model the verdict of the oracles, why they say no more, and the operators."""
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "oracle.py"), folder], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.path.join(folder, "oracle.txt")) as file:
        return {name: rest for name, *rest in (line.rstrip("\n").split("\t") for line in file)}


def parse():
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
    parser.add_argument("--runnable", action="store_true")
    parser.add_argument("--log", default=os.devnull)
    parser.add_argument("--from", dest="generator", default="generate",
                        choices=("generate", "grid", "vary", "microsoft"))
    return parser.parse_args()


def main():
    args = parse()
    rows, oracles = explained(), args.oracles and has_oracles()
    if args.generator != "generate" and not oracles:
        print("skipped: %s.py needs --oracles, onnx and onnxruntime" % args.generator)
        return SKIPPED
    tally = dict.fromkeys(("pass", "unsupported", "explained", "unexplained", "undecided", "open"), 0)
    verdicts, reasons = {}, {}
    for start in range(args.seed, args.seed + args.count, args.chunk):
        folder = os.path.join(args.folder, "models_%d" % start)
        count = generate(args, folder, start, min(args.chunk, args.seed + args.count - start))
        if count == 0:
            continue
        known = ask_oracles(folder) if oracles else {}
        found = problems(args.lathe_onnx, folder, args, args.batch)
        if len(found) != count:
            raise SystemExit("%d models of %d were looked at" % (len(found), count))
        wrong = []
        with open(args.log, "a") as log:
            for name, problem in sorted(found.items()):
                verdict, why, operators = known.get(name, ("interpreter", "", ""))
                verdicts[verdict] = verdicts.get(verdict, 0) + 1
                ended, reason = ending(args, rows, folder, name, problem, verdict, why, operators)
                tally[ended] += 1
                if reason:
                    reasons.setdefault((ended, reason), []).append(name)
                if ended == "unexplained":
                    wrong.append(name)
                    print("%s\t%s\t%s" % (os.path.join(folder, name), verdict, problem))
                log.write("\t".join((name, verdict, ended, operators, problem, why)) + "\n")
        for name in found:
            if name not in wrong:
                shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
        if not wrong:
            shutil.rmtree(folder, ignore_errors=True)
    for (ended, reason), names in sorted(reasons.items(), key=lambda pair: (pair[0][0], -len(pair[1]))):
        print("%5d %s: %s: %s" % (len(names), ended, reason, " ".join(names[:3])))
    print(", ".join("%s %d" % pair for pair in tally.items()))
    if oracles:
        print("oracles: " + ", ".join("%s %d" % pair for pair in sorted(verdicts.items())))
    return 1 if tally["unexplained"] else 0


if __name__ == "__main__":
    sys.exit(main())
