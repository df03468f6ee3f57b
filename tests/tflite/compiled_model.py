"""Compiles a TFLite model to C with lathe and calls it in this process.

    model = CompiledModel(lathe, "kws.tflite", folder)
    outputs = model.run([array])

Needs numpy and a C compiler.
"""
import ctypes
import os
import re
import subprocess

import numpy

DTYPES = {
    "int8_t": numpy.int8, "uint8_t": numpy.uint8, "int16_t": numpy.int16,
    "int32_t": numpy.int32, "int64_t": numpy.int64, "float": numpy.float32,
    "double": numpy.float64, "uint16_t": numpy.uint16, "uint32_t": numpy.uint32,
    "uint64_t": numpy.uint64, "bool": numpy.bool_, "_Bool": numpy.bool_,
}
CFLAGS = ["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
INSTANCE_BYTES = 4096  # more than any instance needs


class Refused(Exception):
    """lathe ended with an error; holds its diagnostics and exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def members(header, struct):
    """The (type, name, length macro) of each pointer in a struct of the header."""
    body = re.search(r"typedef struct %s \{(.*?)\} %s;" % (struct, struct), header, re.S)
    if body is None:
        return []
    return re.findall(r"(?:const )?(\w+) \*(\w+);(?: /\* (\w+) \*/)?", body.group(1))


class CompiledModel:
    def __init__(self, lathe, path, folder, target="generic-c99", options=()):
        made = subprocess.run(
            [lathe, "compile", path, "-o", folder, "-n", "net", "-t", target, *options],
            capture_output=True, text=True)
        if made.returncode != 0:
            raise Refused(made.returncode, made.stderr)
        self.report = made.stdout
        library = os.path.join(folder, "net.so")
        sources = [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".c")]
        flags = CFLAGS if target == "generic-c99" else CFLAGS + ["-march=x86-64-v3"]
        subprocess.run(["cc", *flags, "-I", folder, *sources, "-o", library, "-lm"], check=True)
        with open(os.path.join(folder, "net.h")) as file:
            header = file.read()
        sizes = {k: int(v) for k, v in re.findall(r"#define (\w+) (\d+)u", header)}
        self.inputs = [(DTYPES[t], n, sizes[m]) for t, n, m in members(header, "net_inputs")]
        self.outputs = [(DTYPES[t], n, sizes[m]) for t, n, m in members(header, "net_outputs")]
        self.library = ctypes.CDLL(library)
        size = sizes.get("NET_ARENA_SIZE", 0)
        self.instance = ctypes.create_string_buffer(INSTANCE_BYTES)
        self.memory = numpy.zeros(size + 64, numpy.uint8)
        start = (-self.memory.ctypes.data) % 64
        self.check(self.library.net_init(self.instance,
                                         ctypes.c_void_p(self.memory.ctypes.data + start),
                                         ctypes.c_size_t(size)))

    @staticmethod
    def check(status):
        if status != 0:
            raise RuntimeError("status %d" % status)

    def run(self, arrays):
        ins = [numpy.ascontiguousarray(a, dtype).ravel()
               for (dtype, _, _), a in zip(self.inputs, arrays, strict=True)]
        outs = [numpy.zeros(max(1, length), dtype) for dtype, _, length in self.outputs]
        block = lambda arrays: (ctypes.c_void_p * max(1, len(arrays)))(
            *[a.ctypes.data for a in arrays])
        self.check(self.library.net_run(self.instance, block(ins), block(outs)))
        return [out[:length] for out, (_, _, length) in zip(outs, self.outputs)]
