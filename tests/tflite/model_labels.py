#!/usr/bin/env python3
"""Checks the labels of outputs in generated headers: model_labels.py LATHE

They come from a text file in a zip archive behind the model, which the metadata of the model name.
Metadata and archives that are malformed give a warning, and a header without labels.
"""
import argparse
import io
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from flatbuffer_writer import Table, finish
from model_writer import Model, Operator, Subgraph, Tensor

RELU, AXIS, VALUE = 19, 2, 3
NAME = "labels.txt"


def associated(kind, name=NAME, locale=None):
    return Table({0: name, 2: ("i8", kind), 3: locale})


def metadata(*files):
    """Of one subgraph with one output."""
    result = Table({6: list(files)})
    return finish(Table({0: "net", 3: [Table({3: [result]})]}), b"M001")


def model(described, size=3):
    x, y = Tensor("x", [1, size]), Tensor("scores", [1, size])
    entries = [("TFLITE_METADATA", described)] if described is not None else []
    graph = Subgraph([x], [y], [Operator(RELU, [x], [y])])
    return Model([graph], metadata=entries).write()


def archive(text, name=NAME, method=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        file.writestr(name, text)
    return data.getvalue()


def appended(data, text):
    """Offsets from the start of the model, as Python's zipfile appends."""
    file = io.BytesIO(data)
    file.seek(0, io.SEEK_END)
    with zipfile.ZipFile(file, "a") as zipped:
        zipped.writestr("other.txt", "unused")
        zipped.writestr(NAME, text)
    return file.getvalue()


def good_cases():
    """Name, model, the macro of the labels."""
    described = metadata(associated(AXIS))
    yes_no = '_LABELS {"yes", "no", "\\?"} /* label k belongs to position k of the last axis */'
    yield "deflated", model(described) + archive("yes\nno\n?\n"), yes_no
    yield "stored", model(described) + archive("yes\nno\n?", method=zipfile.ZIP_STORED), yes_no
    yield "lines", model(described) + archive("yes\r\nno\r\n?\r\n\r\n"), yes_no
    yield "appended", appended(model(described), "yes\nno\n?\n"), yes_no
    yield "locale", model(metadata(associated(AXIS, "de.txt", "de"), associated(AXIS))) + \
        archive("yes\nno\n?\n"), yes_no
    yield "values", model(metadata(associated(VALUE))) + archive("a\nb\n"), \
        '_LABELS {"a", "b"} /* label k belongs to the value k */'
    hostile = 'a"}; int evil = 1; /* @bundle@\n*/ #error\\\n\xe4??/\n'
    yield "hostile", model(described) + archive(hostile), \
        '{"a\\"}; int evil = 1; /\\052 \\100bundle\\100", "*/ #error\\\\", "\\303\\244\\?\\?/"}'
    many = "\n".join("label number %d" % i for i in range(300))
    yield "many", model(described, 300) + archive(many), '_LABEL_COUNT 300u'
    yield "no labels", model(metadata(associated(1))), None
    yield "no metadata", model(None), None


def bad_cases():
    """Name, model, a part of the warning."""
    described = metadata(associated(AXIS))
    packed = archive("yes\nno\n?\n")
    yield "identifier", model(described[:4] + b"M002" + described[8:]), "the identifier M001"
    yield "short metadata", model(described[:20]), "the metadata"
    yield "no archive", model(described), "it has no directory"
    yield "cut archive", model(described) + packed[20:], "a member is not at the offset"
    yield "no member", model(described) + archive("a\nb\nc", "other.txt"), "no file 'labels.txt'"
    yield "count", model(described) + archive("a\nb"), "2 labels for the 3 positions"
    yield "long label", model(described) + archive("a" * 1001 + "\nb\nc"), "a label of 1001 bytes"
    yield "bomb", model(metadata(associated(VALUE))) + archive("\n" * (1 << 23)), \
        "more than 4194304 bytes"
    at = packed.index(b"PK\1\2") + 16
    yield "checksum", model(described) + packed[:at] + bytes(4) + packed[at + 4:], "checksum"
    size = struct.pack("<I", 1 << 21)
    yield "false size", model(described) + packed[:at + 8] + size + packed[at + 12:], "impossible"
    many = Table({3: [Table({3: [Table({6: [associated(AXIS)]})] * 2})] * 2})
    yield "more outputs than the model", model(finish(many, b"M001")), "it has no directory"


def compiled(lathe, path, folder):
    return subprocess.run([lathe, "compile", path, "-o", folder, "-n", "net"],
                          capture_output=True, text=True, timeout=60)


def builds(folder):
    """Whether the header and an array of its labels compile."""
    source = pathlib.Path(folder, "labels.c")
    source.write_text('#include "net.h"\nconst char *const labels[] = NET_OUT_SCORES_LABELS;\n'
                      'typedef char right[sizeof labels / sizeof *labels == '
                      'NET_OUT_SCORES_LABEL_COUNT ? 1 : -1];\n')
    return subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c",
                           "-I", folder, source, "-o", "/dev/null"]).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    arguments = parser.parse_args()
    total, failed = 0, []
    for good, cases in ((True, good_cases()), (False, bad_cases())):
        for name, data, part in cases:
            total += 1
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "model.tflite")
                path.write_bytes(data)
                made = compiled(arguments.lathe, path, folder)
                header = pathlib.Path(folder, "net.h")
                text = header.read_text() if header.exists() else ""
                if made.returncode != 0:
                    failed.append("%s: exit code %d: %s" % (name, made.returncode, made.stderr))
                elif good and part is None:
                    if "_LABELS" in text or "tflite-metadata" in made.stderr:
                        failed.append("%s: labels, or a warning: %s" % (name, made.stderr))
                elif good and (part not in text or not builds(folder)):
                    failed.append("%s: no '%s', or not C: %s" % (name, part, made.stderr))
                elif not good and ("_LABELS" in text or "[tflite-metadata]" not in made.stderr
                                   or part not in made.stderr):
                    failed.append("%s: no warning with '%s': %s" % (name, part, made.stderr))
    print("\n".join(failed + ["%d passed, %d failed" % (total - len(failed), len(failed))]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
