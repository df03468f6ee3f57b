#!/usr/bin/env python3
"""Checks --weights decoded: check_decoded_weights.py LATHE

The commands of samples/encrypted_weights give the result that its README shows and that weights in the source give. A
program with a decoder of compressed weights (decoded_weights.c) tests block sizes, statuses, faults and what is left in
memory, under the sanitizers where the compiler has them. The generated C needs no allocator.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples/encrypted_weights"
FLAGS = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wcast-qual", "-Wshadow", "-Wstrict-prototypes",
         "-Wmissing-prototypes", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def run(words, folder, **more):
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit("%s\nended with %d\n%s" % (words, done.returncode, done.stdout[-3000:]))
    return done.stdout


def follow_readme(lathe, folder):
    """Runs the commands of the sample in a copy, and returns what the last one prints."""
    shutil.copytree(SAMPLE, folder / "sample/encrypted_weights")
    shutil.copytree(ROOT / "samples/cnn", folder / "sample/cnn")
    text = (SAMPLE / "README.md").read_text()
    commands, shown = re.findall(r"(?:^    .*\n)+", text, re.M)[:2]
    (folder / "bin").mkdir()
    (folder / "bin/lathe").symlink_to(lathe)
    words = {**os.environ, "PATH": "%s:%s" % (folder / "bin", os.environ["PATH"])}
    said = run(["sh", "-ec", commands], folder / "sample/encrypted_weights", env=words)
    if said.splitlines()[-1] != shown.strip():
        sys.exit("the sample prints '%s', its README shows '%s'" % (said.splitlines()[-1], shown.strip()))
    return folder / "sample/encrypted_weights", said.splitlines()[-1]


def with_another_key(folder):
    done = subprocess.run(["build/classify", "1" * 64, "build/weights.enc"], cwd=folder, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 1 or "another key" not in done.stderr:
        sys.exit("another key: %d, %s" % (done.returncode, done.stderr))


def packed(data):
    """Runs of equal bytes as (length, byte), others as (128 + length, bytes)."""
    out, at = bytearray(), 0
    while at < len(data):
        end = at
        while end < len(data) and end - at < 127 and data[end] == data[at]:
            end += 1
        if end - at > 2:
            out += bytes([end - at, data[at]])
        else:
            end = min(at + 40, len(data))
            out += bytes([128 + end - at]) + data[at:end]
        at = end
    return bytes(out)


def test_faults(lathe, folder, cc):
    run([lathe, "compile", str(ROOT / "samples/cnn/cnn.py"), "-n", "cnn", "-o", "decoded", "--weights", "decoded"], folder)
    run([lathe, "compile", str(ROOT / "samples/cnn/cnn.py"), "-n", "plain", "-o", "plain"], folder)
    (folder / "weights.pak").write_bytes(packed((folder / "decoded/cnn_weights.bin").read_bytes()))
    program = Path(__file__).resolve().parent / "decoded_weights.c"
    words = [cc, *FLAGS, "-O1", "-g", "-Idecoded", "-Iplain", str(program), "decoded/cnn.c", "plain/plain.c", "-lm", "-o", "test"]
    run(words, folder)
    # Not all systems have the libraries of the sanitizers.
    if subprocess.run(words + SANITIZERS, cwd=folder, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("without sanitizers: %s lacks their libraries" % cc)
    print(run(["./test", "weights.pak"], folder).strip())
    run([cc, *FLAGS, "-Os", "-c", "-Idecoded", "decoded/cnn.c", "-o", "cnn.o"], folder)
    needed = set(re.findall(r" U (\w+)", run(["nm", "cnn.o"], folder)))
    if needed & {"malloc", "calloc", "realloc", "free"}:
        sys.exit("the generated C allocates: %s" % sorted(needed))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lathe = os.path.abspath(sys.argv[1])
    cc = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if cc is None:
        print("skipped: no C compiler")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy, scores = follow_readme(lathe, folder)
        with_another_key(copy)
        test_faults(lathe, folder, cc)
    print("the sample prints %s" % scores)
    return 0


if __name__ == "__main__":
    sys.exit(main())
