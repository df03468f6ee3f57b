"""Validates drawn modules: `lathe validate` compares their compiled C with the interpreter."""
import argparse
import subprocess
import tempfile
from pathlib import Path


def arguments_parser(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="a folder for the modules that fail")
    return parser


def difference(lathe, path, words):
    """What `lathe validate` prints if it does not pass."""
    done = subprocess.run([lathe, "validate", str(path), "--data", "random:seed=1"] + words, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return "" if done.returncode == 0 and "PASS" in done.stdout else done.stdout[-1500:]


def compare(arguments, name, text, words):
    """Validates text(seed) with the options words(seed) for each seed. Returns an exit status."""
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            path = Path(arguments.keep or scratch) / ("%s_%d.py" % (name, seed))
            path.write_text(text(seed))
            wrong = difference(arguments.lathe, path, words(seed))
            if wrong:
                failed += 1
                print("%s %s\n%s" % (path.name, " ".join(words(seed)), wrong), flush=True)
            elif arguments.keep:
                path.unlink()
    print("%d of %s: %d passed, %d failed" % (arguments.count, name, arguments.count - failed, failed))
    return 1 if failed else 0
