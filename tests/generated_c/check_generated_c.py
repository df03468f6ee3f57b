#!/usr/bin/env python3
"""What C compilers and checkers say of generated bundles; anything said is a failure.

  check_generated_c.py FOLDER...              every bundle below these folders
  check_generated_c.py --lathe build/fast/bin/lathe    what the samples and tests/validate become
  --random build/fast/bin/lathe_random    also checks random programs
  --full      all compilers, standards and levels that are here; cppcheck with MISRA's rules too
  --keep DIR  where the bundles and objects go, to be looked at

Without --full: gcc and clang, C99 and C++17, and the symbols. A bundle is a folder with a header
NAME.h next to NAME.c. What is not installed is named and left out. Complaints are printed as they
come; as many bundles as there are processors are looked at at once.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/tflite"))
from random_networks import write_model  # noqa: E402

WARNINGS = ("-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wfloat-conversion -Wdouble-promotion -Wshadow "
            "-Wcast-align -Wcast-qual -Wundef -Wvla -Wpointer-arith -Wwrite-strings -Wswitch-default -Wformat=2 "
            "-Wnull-dereference -Werror").split()
GCC = WARNINGS + ["-Wstack-usage=1024"]
ONLY_C = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
# Declarations are next to their initialization, and the layout of structures is fixed.
CLANG = ("-Weverything -Wno-unknown-warning-option -Wno-padded -Wno-declaration-after-statement "
         "-Wno-unsafe-buffer-usage -Werror").split()
# C casts are C++'s old ones: in sources, which C++ only happens to accept. Headers have none.
CLANG_CXX = CLANG + ["-Wno-c++98-compat", "-Wno-c++98-compat-pedantic", "-Wno-old-style-cast", "-Wno-zero-as-null-pointer-constant"]

HOSTS = [("gcc", "gcc", GCC), ("clang", "clang", CLANG), ("clang-19", "clang-19", CLANG)]
ARM = ["-mthumb", "-Os"]
CROSS = [
    ("cortex-m0", ["arm-none-eabi-gcc", "-mcpu=cortex-m0"] + ARM),
    ("cortex-m4", ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"] + ARM),
    ("cortex-m33", ["arm-none-eabi-gcc", "-mcpu=cortex-m33"] + ARM),
    ("cortex-m55", ["arm-none-eabi-gcc", "-mcpu=cortex-m55", "-mfloat-abi=hard"] + ARM),
    ("riscv64", ["riscv64-unknown-elf-gcc", "-march=rv64gc", "-mabi=lp64d", "--specs=picolibc.specs", "-Os"]),
    ("riscv32", ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32", "--specs=picolibc.specs", "-Os"]),
]
# cppcheck takes minutes for one that is longer.
LONGEST_FOR_CPPCHECK = 400_000
# docs/misra.md says what these are about.
REMARKS = ["unusedStructMember", "constParameter", "variableScope", "unreadVariable", "duplicateExpression",
           "duplicateExpressionTernary", "duplicateValueTernary", "knownConditionTrueFalse", "negativeIndex"]
DEFINES = ["-DUINT32_C(x)=x##U", "-DUINT64_C(x)=x##ULL", "-DINT64_C(x)=x##LL", "-DINT64_MIN=(-9223372036854775807LL-1)",
           "-DINT32_MIN=(-2147483647-1)"]
# strcmp is for models that look up external functions by name.
MEMORY = {"memcpy", "memset", "memmove", "strcmp"}
MATH = re.compile(r"^(?:a?(?:cos|sin|tan)h?|atan2|exp2?|exp10|expm1|log(?:2|10|1p)?|pow|sqrt|erfc?|fmod|floor|ceil|trunc|round|"
                  r"rint|nearbyint|fabs|hypot|ldexp|copysign|nextafter|fmin|fmax|fma|lgamma|tgamma|cbrt|remainder)f?$")
# What gcc puts in by itself for processors without such instructions.
COMPILER = re.compile(r"^(?:__aeabi_\w+|__(?:u?div|u?mod|mul|ashl|ashr|lshr|float|fix|clz|ctz|popcount|add|sub|eq|ne|lt|le|gt|ge|neg|extend|trunc|unord|cmp)\w*)$")


def run(words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    return done.returncode, done.stdout


def programs_of(archive):
    """The sections of a tests/validate file that are programs, but for those that are refused there."""
    whole = archive.read_text()
    refused = {m.group(1) for m in re.finditer(r"(?ms)^-- args --\ncompile (\S+\.py) (?:(?!^-- args --).)*?^-- exit --\n3$", whole)}
    compiled = set(re.findall(r"(?m)^(?:compile|validate|analyze) (\S+\.py)\b", whole))
    for part in re.split(r"(?m)^-- (?=\S+ --$)", whole)[1:]:
        head, text = part.split("\n", 1)
        name = head.removesuffix(" --")
        if name in compiled and name not in refused and not re.search(rf"(?m)^{re.escape(name)}:\d+:\d+: error: .*\[cannot-(?:lower|emit)\]", whole):
            yield archive.stem + "_" + name.removesuffix(".py"), text


def make_bundles(lathe, into):
    sources = [(p.stem, p.read_text()) for p in sorted((root / "samples").glob("*/*.py"))]
    sources = [(name, text) for name, text in sources if "tvm.script" in text]  # no scripts
    for archive in sorted((root / "tests/validate").glob("*.txt")):
        sources += programs_of(archive)
    forms = [(name, text, []) for name, text in sources]
    # The other forms that a bundle can have.
    bounds = {
        "symbolic_batch": ["batch=1..32"],
        "bounded_sizes_model": ["n=0..40", "m=1..4"],
        "bounded_sizes_beyond": ["n=1..8", "b=0..9", "e=0..9"],
    }
    for name, text in sources:
        if name in ("cnn", "hello_add"):
            forms.append((name + "_golden", text, ["--golden"]))
            forms.append((name + "_incbin", text, ["--golden", "--weights", "incbin"]))
            forms.append((name + "_external", text, ["--golden", "--weights", "external"]))
            forms.append((name + "_decoded", text, ["--golden", "--weights", "decoded"]))
        if name == "cnn":  # tiles of scalars
            forms.append((name + "_tiles", text, ["-t", "cortex-m4f"]))
        if name == "custom_extern":
            forms.append((name + "_table", text, ["--externs", "table"]))
        if name in bounds:
            forms.append((name + "_bounded", text, [f"-D{bound}" for bound in bounds[name]]))
    compiled = []
    for name, text, more in forms:
        source = into / (name + ".py")
        source.write_text(text)
        compiled.append((name, source, more))
    # Each core has integer kernels of its own. The networks have layers of all kinds.
    networks = write_model(3, 3, into)
    for target in ("cortex-m0", "cortex-m3", "cortex-m4", "cortex-m55", "rv32imc"):
        compiled.append(("int8_" + target.replace("-", "_"), networks, ["-t", target]))
    compiled.append(("int8_rows", write_model(22, 2, into, "rows"), ["-t", "cortex-m4"]))
    for name, source, more in compiled:
        code, said = run([lathe, "compile", source, "-n", name, "-o", into / name, *more])
        if code != 0:
            sys.exit(f"{name}: lathe compile ended with {code}\n{said}")


def make_up_bundles(lathe, random, count, into):
    """Returns the random programs that lathe can compile."""
    _, said = run([random, "--count", count, "--seed", 1, "--rows", 1, "--print"])
    said = re.split(r"(?m)^\d+ programs, ", said)[0]  # what follows is the tally
    programs = re.split(r"(?m)^(?=(?:# )?from tvm\.script import ir)", said)[1:]
    if len(programs) < count:
        sys.exit(f"{random} printed {len(programs)} programs\n{said[-1000:]}")
    compiled = 0
    for n, text in enumerate(programs):
        source = into / f"made_up_{n}.py"
        source.write_text(text)
        code, said = run([lathe, "compile", source, "-n", source.stem, "-o", into / source.stem])
        compiled += code == 0
        if code not in (0, 3):
            sys.exit(f"{source.name}: lathe compile ended with {code}\n{said}")
    if compiled * 2 < count:
        sys.exit(f"only {compiled} of {count} random programs could be compiled")


class Tally:
    """What was found in all bundles, and what need not be looked at again."""

    def __init__(self):
        self.lock = threading.Lock()
        self.bad, self.compiled = 0, 0
        self.missing, self.left_out, self.seen = set(), set(), set()

    def complain(self, said):
        with self.lock:
            self.bad += 1
            print(said, flush=True)

    def is_new(self, source):
        """Runtime files are the same in many bundles: once is enough, with the same headers."""
        texts = tuple(f.read_text() for f in (source, *sorted(source.parent.glob("*.h"))))
        with self.lock:
            known = texts in self.seen
            self.seen.add(texts)
        return not known


class Check:
    """Of one bundle."""

    def __init__(self, full, scratch, tally):
        self.full, self.scratch, self.tally = full, scratch, tally

    def have(self, program):
        if shutil.which(program):
            return True
        with self.tally.lock:
            self.tally.missing.add(program)
        return False

    def say(self, bundle, what, said):
        self.tally.complain(f"{bundle.name}: {what}:\n{said[:3000]}")

    def compile(self, bundle, what, words, source, out="/dev/null"):
        with self.tally.lock:
            self.tally.compiled += 1
        code, said = run([*words, "-I", bundle, "-c", source, "-o", out])
        if code != 0 or said:
            self.say(bundle, what, said)
        return code == 0

    def hosts(self, bundle, sources):
        standards = ["c99", "c11", "c2x"] if self.full else ["c99"]
        levels = ["-O0", "-O2", "-Os"] if self.full else ["-O2"]
        for name, program, given in HOSTS:
            if not self.have(program):
                continue
            for source in sources:
                for level in levels:
                    # Without optimisation each lathe_value that a function handles has a place of its own, as has each
                    # argument of an integer kernel.
                    wide = level == "-O0" and ((bundle / "lathe/value.c").exists() or bundle.name.startswith("int8_"))
                    flags = [f.replace("=1024", "=16384") if wide else f for f in given]
                    # What only the optimizer warns of, gcc says of C; its objects are those of `symbols`.
                    kept = given is GCC and not self.full
                    for standard in standards:
                        self.compile(bundle, f"{name} {standard} {level} {source.name}",
                                     [program, f"-std={standard}", *(["-O2", "-fno-pic"] if kept else self.level(level)), *flags, *ONLY_C],
                                     source, self.object_of(source) if kept else "/dev/null")
                    cxx = CLANG_CXX if given is CLANG else flags
                    self.compile(bundle, f"{name} c++17 {level} {source.name}",
                                 [program, "-x", "c++", "-std=c++17", *self.level(level), *cxx], source)
            as_cxx = self.scratch / "header.cc"
            as_cxx.write_text(f'#include "{bundle.name}.h"\n')
            extra = [] if given is GCC else ["-Wno-c++98-compat", "-Wno-c++98-compat-pedantic"]
            self.compile(bundle, f"{name} c++17 header",
                         [program, "-x", "c++", "-std=c++17", "-fsyntax-only", "-Wold-style-cast", *given, *extra], as_cxx)

    def level(self, level):
        return [level] if self.full else ["-fsyntax-only"]

    def object_of(self, source):
        return self.scratch / (source.stem + ".o")

    def symbols(self, bundle, sources):
        mine = re.compile(rf"^{re.escape(bundle.name)}(?:_|$)|^lathe_")
        # The functions that the user supplies are declared after a comment, up to an empty line.
        texts = [f.read_text() for f in [*sources, *bundle.glob("*.h")]]
        prototypes = " ".join(re.findall(r"(?s)/\* External functions that you \w+.*?(?:\n\n|\Z)", "\n".join(texts)))
        objects = []
        for source in sources:
            objects.append(self.object_of(source))
            if not objects[-1].exists() and not self.compile(bundle, "gcc", ["gcc", "-std=c99", "-O2", "-fno-pic"], source, objects[-1]):
                return
        _, listed = run(["nm", "-P", *objects])
        for line in listed.splitlines():
            name, kind = (line.split() + ["", ""])[:2]
            if kind in "TDBVWCR" and kind and not mine.search(name):
                self.say(bundle, "nm", f"symbol '{name}' has not the model's name\n")
            name = re.sub(r"\.\d+$", "", name)  # of a function's own
            if kind in ("D", "d", "B", "b", "C") and not name.endswith(("_got", "_copy")):
                self.say(bundle, "nm", f"'{name}' is a variable of the program\n")
            if kind == "U" and not (name in MEMORY or MATH.match(name) or COMPILER.match(name) or mine.search(name) or
                                    re.search(rf"\b{name}\(", prototypes)):
                self.say(bundle, "nm", f"needs '{name}'\n")

    def self_test(self, bundle, sources):
        program = self.scratch / "selftest"
        test = bundle / f"{bundle.name}_selftest.c"
        if not test.exists():
            return
        if "weights_size" in (bundle / f"{bundle.name}.h").read_text():
            # The application has the weights and calls the test.
            if "_SELFTEST_MAIN" in test.read_text():
                self.say(bundle, "self-test", "has a main that has no weights")
            return
        others = [self.object_of(source) for source in sources if not source.stem.endswith("_selftest")]
        words = ["gcc", "-std=c99", "-O2", "-no-pie", f"-D{bundle.name.upper()}_SELFTEST_MAIN", "-I", bundle,
                 bundle / f"{bundle.name}_selftest.c", *others, *bundle.glob("*.S"), "-o", program, "-lm"]
        for what in (words, [program]):
            code, said = run(what)
            if code != 0:
                self.say(bundle, "self-test", f"ended with {code}\n{said}")
                return

    def cross(self, bundle, sources):
        for name, words in CROSS:
            if self.have(words[0]):
                for source in sources:
                    self.compile(bundle, f"{name} {source.name}", [*words, "-std=c99", *GCC, *ONLY_C], source)

    def misra(self, bundle, sources):
        if not self.have("cppcheck"):
            return
        rules, parts = deviations() + ["11.8"], deviations_of_parts()
        # What recurses in C is what recurses in the program: its function is called from its own body.
        itself = re.compile(r"(?ms)^(?:/\* PrimFunc \w+ \*/\nstatic \w+ (?P<prim>\w+)|static \w+ (?P<body>\w+_body))\((?:(?!^}).)*? {$"
                            r"(?:(?!^}).)*\b(?:(?P=prim)|(?P=body))\(")
        recursive = any(itself.search(s.read_text()) for s in sources)
        suppressed = [f"--suppress=misra-c2012-{rule}" for rule in rules + ["17.2"] * recursive]
        suppressed += [f"--suppress={name}" for name in REMARKS]
        for source in sources:
            if source.stat().st_size > LONGEST_FOR_CPPCHECK:
                with self.tally.lock:
                    self.tally.left_out.add(f"{source.name} of {source.stat().st_size // 1000} KB")
                continue
            runtime = ["--suppress=misra-c2012-8.7"] * (source.parent.name == "lathe")
            code, said = run(["cppcheck", "--quiet", "--std=c99", "--enable=warning,style,performance,portability",
                              "--addon=misra", "--error-exitcode=1", "--suppress=missingIncludeSystem", *DEFINES,
                              "--template={file}:{line}: {id}: {message}", *suppressed, *runtime, "-I", bundle, source])
            said = "\n".join(line for line in said.splitlines() if not chooses_constants(line) and not deviates(line, parts))
            if said or code not in (0, 1):
                self.say(bundle, f"cppcheck {source.name}", said)

    def bundle(self, folder):
        own, runtime = sorted(folder.glob("*.c")), sorted(folder.glob("lathe/*.c"))
        new = own + [source for source in runtime if self.tally.is_new(source)]
        self.hosts(folder, new)
        self.symbols(folder, own + runtime)
        self.self_test(folder, own + runtime)
        if self.full:
            self.cross(folder, new)
            self.misra(folder, new)


def chooses_constants(finding):
    """Whether it takes `c ? 1 : 0` for a composite expression, which it is only of composite ones."""
    found = re.match(r"(.+):(\d+): misra-c2012-10\.6:", finding)
    return found and re.search(r"\? \w+ : (\w+|\(rows - here\));", pathlib.Path(found[1]).read_text().splitlines()[int(found[2]) - 1])


def deviations():
    """The rules that docs/misra.md names, which is where the reasons are."""
    page = root / "docs/misra.md"
    rules = re.findall(r"(?m)^\| ?(\d+\.\d+) ?\|", page.read_text()) if page.exists() else []
    if len(rules) > 8:
        sys.exit("docs/misra.md: more than 8 deviations")
    return rules


def deviations_of_parts():
    """The rules that docs/misra.md names for files of the runtime: pairs of a file and a rule."""
    rows = re.findall(r"(?m)^\| ?([`\w, .]+\.h`) ?\| ?([\d., ]+?) ?\|", (root / "docs/misra.md").read_text())
    return {(name, rule) for names, rules in rows for name in re.findall(r"\w+\.h", names) for rule in rules.split(", ")}


def deviates(finding, parts):
    found = re.match(r".*?(\w+\.h):\d+: misra-c2012-(\d+\.\d+):", finding)
    return found and (found[1], found[2]) in parts


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="*", type=pathlib.Path)
    options.add_argument("--lathe", type=pathlib.Path)
    options.add_argument("--random", type=pathlib.Path)
    options.add_argument("--count", type=int, default=200, help="of random programs")
    options.add_argument("--full", action="store_true")
    options.add_argument("--keep", type=pathlib.Path)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        scratch = asked.keep or pathlib.Path(temporary)
        folders = list(asked.folders)
        if asked.lathe:
            made = scratch / "bundles"
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir(parents=True)
            make_bundles(asked.lathe.resolve(), made)
            if asked.random:
                make_up_bundles(asked.lathe.resolve(), asked.random.resolve(), asked.count, made)
            folders.append(made)
        bundles = sorted({h.parent for f in folders for h in f.rglob("*.h") if h.stem == h.parent.name and h.parent.name != "lathe"})
        if not bundles:
            sys.exit("no bundles: a folder NAME with NAME.h and NAME.c\n" + __doc__)
        tally = Tally()

        def look(numbered):
            number, bundle = numbered
            own = scratch / f"objects/{number}_{bundle.name}"
            own.mkdir(parents=True, exist_ok=True)
            Check(asked.full, own, tally).bundle(bundle)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(look, enumerate(bundles)))
    print(f"{len(bundles)} bundles, {tally.compiled} compilations, {tally.bad} complaints"
          + (f"; not installed: {', '.join(sorted(tally.missing))}" if tally.missing else "")
          + (f"; too long for cppcheck: {', '.join(sorted(tally.left_out))}" if tally.left_out else ""))
    sys.exit(bool(tally.bad))


if __name__ == "__main__":
    main()
