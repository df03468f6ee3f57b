#!/usr/bin/env python3
"""How `lathe compile` grows with its input: compile_time.py LATHE [--quick] [--instructions]

Writes networks of 1,000 to 16,000 operators, of three kinds, compiles each to C, and prints time,
memory, the ratio for each doubling and the size of what was written. A program that was built for
release needs less than 1 s for 1,000 operators and 10 s for 10,000, and no more than 2.3 times as
much for twice as many; where it does not, the exit code is 1. --quick: up to 4,000, and no limits on
seconds: for a program that was not built for speed. --instructions: valgrind counts them, which is the
same on every run, where seconds grow with what no cache holds; up to 8,000, and for twice as many
operators no more than 2.2 times as much, which is what n log n allows.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = """from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 16, 8, 8), "float32"), w: R.Tensor((16, 16, 3, 3), "float32"), b: R.Tensor((4,), "float32")):
        with R.dataflow():
"""


def chain(count):
    """Layers, one after another: convolution, bias, activation, pooling."""
    forms = ("R.nn.conv2d({0}, w, padding=[1, 1])", "R.add({0}, x)", "R.nn.relu({0})",
             "R.nn.max_pool2d({0}, pool_size=[3, 3], padding=[1, 1])", "R.multiply({0}, x)")
    for i in range(count):
        yield forms[i % len(forms)].format("v%d" % (i - 1) if i else "x")


def ladder(count):
    """Every layer is used again much later, so the set of live tensors grows and shrinks."""
    for i in range(count):
        if i < 2:
            yield "R.exp(x)"
        elif i % 2:
            yield "R.add(v%d, v%d)" % (i - 1, max(0, i - 2 - i % 41))
        else:
            yield "R.nn.relu(v%d)" % (i - 1)


def shapes(count):
    """Every second layer is longer than all before it, so that no kernel serves twice; in steps of the
    arena's alignment, or the search for the last byte is what is measured."""
    yield "R.reshape(x, (1024,))"
    for i in range(1, count):
        yield ("R.concat([v%d, b])" if i % 2 else "R.exp(v%d)") % (i - 1)


def module(make, count):
    lines = ["            v%d = %s\n" % (i, text) for i, text in enumerate(make(count))]
    lines.append("            R.output(v%d)\n        return v%d\n" % (count - 1, count - 1))
    return HEAD + "".join(lines)


def run(lathe, text, folder):
    source = folder / "net.py"
    source.write_text(text)
    with open(folder / "said", "w+") as said:
        child = subprocess.Popen([lathe, "compile", source, "-n", "net", "-o", folder / "net"], stdout=said, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        said.seek(0)
        # Seconds of the processor: other programs do not count.
        return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said.read()


def count_instructions(lathe, text, folder):
    source = folder / "net.py"
    source.write_text(text)
    words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder / 'calls'}",
             lathe, "compile", source, "-n", "net", "-o", folder / "net"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def print_instructions(lathe, folder):
    bad = []
    print("%-8s %9s %14s %7s" % ("kind", "operators", "instructions", "ratio"))
    for make in (chain, ladder, shapes):
        before = None
        for count in (1000, 2000, 4000, 8000):
            instructions = count_instructions(lathe, module(make, count), folder)
            ratio = instructions / before if before else None
            print("%-8s %9d %14d %7s" % (make.__name__, count, instructions, "%.2f" % ratio if ratio else ""), flush=True)
            if ratio and ratio > 2.2:
                bad.append("%s: %d operators took %.2f times what %d took" % (make.__name__, count, ratio, count // 2))
            before = instructions
    return bad


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    if "--instructions" in sys.argv and len(words) == 1:
        with tempfile.TemporaryDirectory() as name:
            bad = print_instructions(words[0], pathlib.Path(name))
        print("\n".join(bad))
        sys.exit(bool(bad))
    quick = "--quick" in sys.argv
    if len(words) != 1:
        sys.exit(__doc__)
    counts = (1000, 2000, 4000) if quick else (1000, 2000, 4000, 5000, 8000, 10000, 16000)
    bad = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("%-8s %9s %9s %9s %7s %9s" % ("kind", "operators", "seconds", "MiB", "ratio", "KiB of C"))
        for make in (chain, ladder, shapes):
            seconds_of = {}
            for count in counts:
                runs = [run(words[0], module(make, count), folder) for _ in range(5 if count <= 4000 else 3)]
                code, seconds, mib, said = min(runs, key=lambda r: r[1])
                seconds_of[count] = seconds
                ratio = seconds / seconds_of[count // 2] if count // 2 in seconds_of else None
                size = sum(f.stat().st_size for f in (folder / "net").rglob("*") if f.is_file()) / 1024
                print("%-8s %9d %9.2f %9.0f %7s %9.0f" % (make.__name__, count, seconds, mib, "%.2f" % ratio if ratio else "", size), flush=True)
                if code != 0:
                    sys.exit(said[:2000])
                if ratio and ratio > 2.3:
                    bad.append("%s: %d operators took %.2f times what %d took" % (make.__name__, count, ratio, count // 2))
                limit = {1000: 1, 10000: 10}.get(count)
                if limit and seconds > limit and not quick:
                    bad.append("%s: %d operators took %.2f s" % (make.__name__, count, seconds))
    print("\n".join(bad))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
