"""Compiles a model to C with lathe and calls it in this process, with bytes for tensors.

    model = CompiledBytes(lathe, "kws.tflite", folder)
    outputs = model.run_bytes([data])

Needs nothing but a C compiler.
"""
import ctypes
import os
import re
import subprocess

SIZES = {"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4,
         "int64_t": 8, "uint64_t": 8, "float": 4, "double": 8, "bool": 1, "_Bool": 1}
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


def aligned(size):
    """Memory of a size, with its address at a multiple of 64."""
    memory = ctypes.create_string_buffer(size + 64)
    return memory, ctypes.addressof(memory) + (-ctypes.addressof(memory)) % 64


class CompiledBytes:
    def __init__(self, lathe, path, folder, target="generic-c99", options=(), flags=()):
        made = subprocess.run(
            [lathe, "compile", path, "-o", folder, "-n", "net", "-t", target, *options],
            capture_output=True, text=True)
        if made.returncode != 0:
            raise Refused(made.returncode, made.stderr)
        self.report = made.stdout
        library = os.path.join(folder, "net.so")
        sources = [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".c")]
        machine = [] if target == "generic-c99" else ["-march=x86-64-v3"]
        subprocess.run(
            ["cc", *CFLAGS, *machine, *flags, "-I", folder, *sources, "-o", library, "-lm"],
            check=True)
        with open(os.path.join(folder, "net.h")) as file:
            header = file.read()
        sizes = {k: int(v) for k, v in re.findall(r"#define (\w+) (\d+)u", header)}
        # Type, name and length of each tensor.
        self.c_inputs = [(t, n, sizes[m]) for t, n, m in members(header, "net_inputs")]
        self.c_outputs = [(t, n, sizes[m]) for t, n, m in members(header, "net_outputs")]
        self.library = ctypes.CDLL(library)
        size = sizes.get("NET_ARENA_SIZE", 0)
        self.instance = ctypes.create_string_buffer(INSTANCE_BYTES)
        self.memory, start = aligned(size)
        # The variables of a model with a state: each run continues from the last one.
        state_size = sizes.get("NET_STATE_SIZE", 0)
        self.state, state = aligned(state_size)
        given = [ctypes.c_void_p(state), ctypes.c_size_t(state_size)] if state_size else []
        self.check(self.library.net_init(self.instance, ctypes.c_void_p(start),
                                         ctypes.c_size_t(size), *given))

    @staticmethod
    def check(status):
        if status != 0:
            raise RuntimeError("status %d" % status)

    def run_bytes(self, inputs):
        memories = []

        def block(sizes):
            addresses = []
            for size in sizes:
                memory, at = aligned(size)
                memories.append(memory)
                addresses.append(at)
            return (ctypes.c_void_p * max(1, len(addresses)))(*addresses)

        ins = block([SIZES[t] * n for t, _, n in self.c_inputs])
        outs = block([SIZES[t] * n for t, _, n in self.c_outputs])
        for (dtype, name, length), data, at in zip(self.c_inputs, inputs, list(ins)[:len(inputs)],
                                                   strict=True):
            if len(data) != SIZES[dtype] * length:
                raise ValueError("input %s needs %d bytes" % (name, SIZES[dtype] * length))
            ctypes.memmove(at, data, len(data))
        self.check(self.library.net_run(self.instance, ins, outs))
        return [ctypes.string_at(at, SIZES[t] * n) if n else b""
                for (t, _, n), at in zip(self.c_outputs, outs)]
