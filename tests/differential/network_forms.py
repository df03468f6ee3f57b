"""Compiles random integer networks for several forms, and compares every byte with the interpreter.

A form is TARGET on the host, interp:TARGET, or TARGET@BOARD[:FLAG] on an emulated board; +flash after it adds
--prefer flash. The kernels of Cortex-M cores are portable C on the host, and assembly on a board.
"""
import re
import subprocess

SANITIZED = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"


def add_options(parser, forms):
    parser.add_argument("lathe")
    parser.add_argument("--count", type=int, default=3, help="number of models")
    parser.add_argument("--networks", type=int, default=8, help="number of networks in a model")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--forms", nargs="*", default=forms, help="TARGET, interp:TARGET or TARGET@BOARD[:FLAG], each with +flash or without")
    parser.add_argument("--no-sanitizers", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the models")


def words_of(form, sanitize):
    """The options of `lathe validate` for a form."""
    if form.endswith("+flash"):
        return ["--prefer", "flash"] + words_of(form[:-len("+flash")], sanitize)
    if form.startswith("interp:"):
        return ["--on", "interp", "-t", form.split(":")[1]]
    if "@" in form:
        target, board, flags = (form.replace("@", ":", 1) + ":-O2").split(":")[:3]
        return ["-t", target, "--on", "qemu:" + board, "--cflags", flags]
    return ["-t", form, "--cflags", SANITIZED if sanitize else "-O1"]


def difference(arguments, path, form, options):
    """What is wrong with the form, or an empty text."""
    words = [arguments.lathe, "validate", path, *options, *words_of(form, not arguments.no_sanitizers)]
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    wrong = [line for line in done.stdout.splitlines() if "max|d|" in line and not re.search(r"max\|d\| 0 +ok", line)]
    unread = "neither an input nor an output" in done.stdout
    exact = done.returncode == 0 and not wrong and not unread and "max|d|" in done.stdout
    return "" if exact else "%s for %s: ended with %d\n%s" % (path.name, form, done.returncode, done.stdout[-1500:])


def report(arguments, differences):
    """Prints what is wrong, and the numbers. Returns the exit code."""
    failed = passed = 0
    for wrong in differences:
        failed += bool(wrong)
        passed += not wrong
        if wrong:
            print(wrong, flush=True)
    print("%d networks in %d models, %d forms: %d passed, %d failed" %
          (arguments.count * arguments.networks, arguments.count, len(arguments.forms), passed, failed))
    return 1 if failed else 0
