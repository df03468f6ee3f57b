#!/usr/bin/env python3
"""Measures peers beside Lathe on emulated boards: mcu_peers.py LATHE [--tflite MODEL ...] [--onnx MODEL ...]

int8 TFLite models: TensorFlow Lite Micro with CMSIS-NN (--tflm FOLDER, with the folders tflite-micro, cmsis-nn,
flatbuffers, gemmlowp and ruy of their repositories, in the versions that tflite-micro names). Its output must equal
Lathe's, byte for byte.
ONNX models with float inputs and outputs: onnx2c (--onnx2c PROGRAM) and emx-onnx-cgen (--emx PROGRAM). Their output
must be within --tolerance of Lathe's.

All programs: gcc -O2, one inference, random input of --seed, instructions counted by the plugin of `lathe validate
--profile`. Flash has no input data and no startup code; RAM of peers is static memory, heap and stack of the run.
Emulated instructions are repeatable; they are not cycles.
"""
import argparse
import ast
import concurrent.futures
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from mcu import memory

ROOT = Path(__file__).resolve().parents[2]
# The board of each core, its memory (boot, code, RAM, and their sizes), and the flags of its code.
BOARDS = {
    "cortex-m0": ("mps2-an385", (0, 0x200, 4 << 20, 0x20000000, 4 << 20), ["-mcpu=cortex-m0"]),
    "cortex-m4": ("mps2-an386", (0, 0x200, 4 << 20, 0x20000000, 4 << 20), ["-mcpu=cortex-m4"]),
    "cortex-m4f": ("mps2-an386", (0, 0x200, 4 << 20, 0x20000000, 4 << 20),
                   ["-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"]),
    "cortex-m55": ("mps3-an547", (0, 0x01000000, 2 << 20, 0x21000000, 4 << 20), ["-mcpu=cortex-m55", "-mfloat-abi=hard"]),
}
STACK = 64 << 10
TFLM_FLAGS = ["-DNDEBUG", "-DTF_LITE_STRIP_ERROR_STRINGS", "-DTF_LITE_STATIC_MEMORY", "-DTF_LITE_DISABLE_X86_NEON",
              "-DCMSIS_NN", "-DARM_NN_ENABLE_F16=0", "-DARM_NN_ENABLE_F32=0", "-ffunction-sections", "-fdata-sections", "-w"]
CXX_FLAGS = ["-std=c++17", "-fno-rtti", "-fno-exceptions", "-fno-threadsafe-statics"]
KERNELS = ("add", "conv", "depthwise_conv", "dequantize", "fully_connected", "pooling", "quantize", "reshape", "softmax")
OPERATORS = {0: "Add", 1: "AveragePool2D", 3: "Conv2D", 4: "DepthwiseConv2D", 6: "Dequantize", 9: "FullyConnected",
             17: "MaxPool2D", 22: "Reshape", 25: "Softmax", 114: "Quantize"}


class Failure(Exception):
    pass


def run(words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)
    if done.returncode != 0:
        raise Failure("%s: %s" % (words[0], done.stdout[-2000:]))
    return done.stdout


class Board:
    """Compiles and measures programs for one core."""

    def __init__(self, core, folder):
        self.core, self.folder = core, folder / core
        self.board, self.memory, self.cpu = BOARDS[core]
        self.folder.mkdir(parents=True)
        boards = ROOT / "templates/boards"
        names = ("name", "boot", "code", "code_size", "ram", "ram_size", "stack_size")
        boot, code, code_size, ram, ram_size = self.memory
        values = (self.board, boot, code, code_size - 512, ram, ram_size, STACK)
        script = (boards / "board.ld.tmpl").read_text()
        for name, value in zip(names, values):
            script = script.replace("{{ board.%s }}" % name, str(value))
        (self.folder / "board.ld").write_text(script)
        (self.folder / "board.c").write_text((boards / "cortex_m.c.tmpl").read_text())
        for header in ("board.h", "start.h"):
            (self.folder / header).write_text((boards / (header + ".tmpl")).read_text())
        (self.folder / "profile.c").write_text((boards / "profile.c.tmpl").read_text())
        run(["cc", "-O2", "-shared", "-fPIC", "-o", self.folder / "profile.so", self.folder / "profile.c"])

    def compile(self, source, flags, into):
        source = Path(source)
        made = into / (re.sub(r"\W", "_", str(source)) + ".o")
        if made.exists():
            return made
        compiler = "arm-none-eabi-g++" if source.suffix == ".cc" else "arm-none-eabi-gcc"
        run([compiler, "-O2", "-mthumb", *self.cpu, "-I", self.folder, *flags, "-c", source, "-o", made])
        return made

    def link(self, name, objects, inputs, model=None):
        """The image of a program; `inputs` are the bytes of its input."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        data = [folder / "input.bin"] + ([folder / "model.bin"] if model else [])
        data[0].write_bytes(inputs)
        text = '.section .inputs, "a"\n.balign 16\n.global board_inputs\nboard_inputs: .incbin "%s"\n' % data[0]
        if model:
            data[1].write_bytes(model)
            text += '.section .rodata.model, "a"\n.balign 16\n.global peer_model\npeer_model: .incbin "%s"\n' % data[1]
        (folder / "data.S").write_text(text)
        parts = objects + [self.compile(path, [], folder) for path in (ROOT / "tests/benchmark/peers/main.c", self.folder / "board.c")]
        image = folder / "image"
        run(["arm-none-eabi-gcc", "-O2", "-mthumb", *self.cpu, "--specs=nano.specs", "--specs=nosys.specs", "-nostartfiles",
             "-Wl,--gc-sections", "-Wl,-u,board_fault", "-Wl,--defsym=end=board_free_begin", "-T", self.folder / "board.ld", *parts, folder / "data.S", "-lm", "-o", image])
        return image

    def measure(self, image):
        """Instructions, RAM and flash of the program, and its output."""
        symbols = {}
        for line in run(["arm-none-eabi-nm", "-S", image]).splitlines():
            words = line.split()
            if len(words) >= 3 and re.fullmatch("[0-9a-f]+", words[0]):
                symbols[words[-1]] = (int(words[0], 16) & ~1, int(words[1], 16) if len(words) == 4 else 0)
        runs, top = symbols["peer_run"], symbols["board_stack_top"][0]
        counts = Path(str(image) + ".counts")
        counts.unlink(missing_ok=True)
        plugin = "%s,begin=%d,end=%d,low=%d,high=%d,stack_low=%d,stack_high=%d,out=%s" % (
            self.folder / "profile.so", symbols["peer_begin"][0], symbols["peer_end"][0], runs[0], sum(runs),
            symbols["board_stack_limit"][0], top, counts)
        said = run(["qemu-system-arm", "-M", self.board, "-nographic", "-monitor", "none", "-serial", "null", "-semihosting-config",
                    "enable=on,target=native", "-kernel", image, "-plugin", plugin], stdin=subprocess.DEVNULL, timeout=600)
        rows = [line.split() for line in counts.read_text().splitlines()]
        lowest = min([int(row[3], 16) for row in rows if row[0] == "c"] + [top])
        sizes = {row.split()[0]: int(row.split()[1]) for row in run(["arm-none-eabi-size", "-A", image]).splitlines()
                 if len(row.split()) == 3 and row.startswith(".")}
        startup = sum(size for name, (_, size) in symbols.items() if name.startswith("board_") or name == "main")
        heap, unused = (int(re.search(r"^%s (\w+)" % name, said, re.MULTILINE)[1], 16) for name in ("heap", "unused"))
        return {
            "instructions": sum(int(row[2]) for row in rows if row[0] in "ic"),
            "RAM": sizes.get(".data", 0) + sizes.get(".bss", 0) - unused + heap + top - lowest,
            "flash": sizes[".text"] + sizes.get(".rodata", 0) + sizes.get(".ARM.exidx", 0) + sizes.get(".data", 0) - startup,
            "output": bytes.fromhex(re.search(r"^output (\w+)", said, re.MULTILINE)[1]),
        }


def operators(model):
    """The builtin operators of a TFLite file: field 1 of its root, a list of tables with a byte and an int32."""
    def number(form, at):
        return struct.unpack_from("<" + form, model, at)[0]

    def field(table, index, form, otherwise):
        fields = table - number("i", table)
        offset = number("H", fields + 4 + 2 * index) if 4 + 2 * index < number("H", fields) else 0
        return (number(form, table + offset), table + offset) if offset else (otherwise, None)
    start, at = field(number("I", 0), 1, "I", 0)
    codes = [at + start + 4 + 4 * i for i in range(number("I", at + start))]
    return sorted({max(field(code + number("I", code), 0, "b", 0)[0], field(code + number("I", code), 3, "i", 0)[0]) for code in codes})


class Tflm:
    """TensorFlow Lite Micro for one core, compiled once."""

    def __init__(self, board, folder, build, jobs, includes):
        self.board = board
        micro, nn = folder / "tflite-micro", folder / "cmsis-nn"
        self.flags = TFLM_FLAGS + ["-I%s" % path for path in (micro, folder / "flatbuffers/include", folder / "gemmlowp", folder / "ruy", nn, nn / "Include")]
        self.flags += ["-DFLATBUFFERS_LOCALE_INDEPENDENT=0"] + ["-isystem%s" % path for path in includes]
        lite = micro / "tensorflow/lite"
        sources = [path for part in ("core", "kernels") for path in (lite / part).rglob("*.cc")]
        sources += (micro / "tensorflow/compiler/mlir/lite").rglob("*.cc")
        sources += [path for part in ("micro", "micro/arena_allocator", "micro/memory_planner", "micro/tflite_bridge")
                    for path in (lite / part).glob("*.cc")]
        kernels = lite / "micro/kernels"
        for kernel in KERNELS:
            fast = kernels / "cmsis_nn" / (kernel + ".cc")
            sources += [fast if fast.exists() else kernels / (kernel + ".cc"), kernels / (kernel + "_common.cc")]
        sources += [kernels / "kernel_util.cc", lite / "array.cc"]
        skipped = re.compile(r"test|mock|fake|recording|debug_log|micro_time|system_setup|experimental")
        sources = [path for path in sources if path.exists() and not skipped.search(path.name)]
        sources += [path for path in (nn / "Source").rglob("*.c") if not re.search(r"_f16|_f32", path.name)]
        into = (build or board.folder / "objects") / board.core
        into.mkdir(parents=True, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            self.objects = list(pool.map(lambda path: board.compile(path, self.flags_of(path), into), sources))

    def flags_of(self, path):
        """As its Makefile: kernels with -O2, all else with -Os."""
        fast = "kernels" in path.parts or path.suffix == ".c"
        return self.flags + (CXX_FLAGS if path.suffix == ".cc" else []) + ([] if fast else ["-Os"])

    def measure(self, model, inputs):
        adds = "".join("resolver.Add%s();" % OPERATORS[code] for code in operators(model.read_bytes()))
        folder = self.board.folder / ("tflm_" + model.stem)
        folder.mkdir()
        glue = ROOT / "tests/benchmark/peers/tflm.cc"
        made = self.board.compile(glue, self.flags_of(glue) + ["-DPEER_OPERATORS=" + adds], folder)
        return self.board.measure(self.board.link(folder.name, self.objects + [made], inputs, model.read_bytes()))


def npy(data, dtype, dims):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s)}" % (dtype, "".join("%d," % d for d in dims))
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data


def from_npy(data):
    length = struct.unpack_from("<H", data, 8)[0]
    return ast.literal_eval(data[10:10 + length].decode())["descr"], data[10 + length:]


def ports(lathe, model):
    """The name, dtype and dims of the input, and the number of elements of the output."""
    said = run([lathe, "inspect", model])
    found = re.search(r"def main\((\w+): R\.Tensor\(\(([\d, ]+)\), dtype=\"(\w+)", said)
    if not found:
        raise Failure("%s: not a model with one input of known size" % model)
    return found[1], found[3], [int(d) for d in found[2].split(",") if d.strip()]


def lathe_row(lathe, model, core, inputs, name, dtype, dims, folder):
    """Lathe's numbers, and its output for the input."""
    archive = folder / "input.npz"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr(name + ".npy", npy(inputs, "|i1" if dtype == "int8" else "<f4", dims))
    run([lathe, "run", model, "--input", archive, "-o", folder / "output.npz"])
    with zipfile.ZipFile(folder / "output.npz") as made:
        output = from_npy(made.read(made.namelist()[0]))[1]
    said = run([lathe, "validate", model, "-t", core, "--on", "qemu:" + BOARDS[core][0], "--profile", "--time-limit", "600", "--data", archive])
    whole = re.search(r"^ *(\d+) +(\d+) +model_run$", said, re.MULTILINE)
    row = {"instructions": int(whole[1]), "output": output}
    sizes = memory(lathe, model, core)
    return dict(row, RAM=sizes["RAM"] + int(whole[2]), flash=sizes["flash"])


def floats(data):
    return struct.unpack("<%df" % (len(data) // 4), data)


def function_row(board, name, source, function, inputs, outputs):
    folder = board.folder / (name + "_" + str(source.stat().st_mtime_ns))
    folder.mkdir()
    flags = ["-std=gnu11", "-w", "-ffunction-sections", "-fdata-sections"]
    sizes = ["-DPEER_FUNCTION=" + function, "-DPEER_INPUT=%d" % (len(inputs) // 4), "-DPEER_OUTPUT=%d" % outputs]
    objects = [board.compile(source, flags, folder), board.compile(ROOT / "tests/benchmark/peers/function.c", sizes, folder)]
    return board.measure(board.link(name, objects, inputs))


def onnx_peers(arguments, model, folder):
    """The name, the C file and the function of each peer."""
    if arguments.onnx2c:
        made = folder / "onnx2c.c"
        made.write_text(subprocess.run([str(arguments.onnx2c), str(model)], stdout=subprocess.PIPE, check=True, text=True).stdout)
        yield "onnx2c", made, "entry"
    if arguments.emx:
        made = folder / "emx.c"
        run([arguments.emx, "compile", model, made, "--large-weight-threshold", "0"])
        yield "emx-onnx-cgen", made, "model"


def measured(arguments, folder):
    """Rows of each model and core: (model, core, name, numbers or a message)."""
    rng = random.Random(arguments.seed)
    boards = {core: Board(core, folder) for core in arguments.cores}
    tflm = {}
    for model in arguments.tflite + arguments.onnx:
        name, dtype, dims = ports(arguments.lathe, model)
        count = math.prod(dims)
        inputs = bytes(rng.randrange(256) for _ in range(count)) if dtype == "int8" else struct.pack("<%df" % count, *(rng.uniform(-1, 1) for _ in range(count)))
        for core, board in boards.items():
            own = lathe_row(arguments.lathe, model, core, inputs, name, dtype, dims, folder)
            yield model, core, "Lathe", own
            if model in arguments.tflite and arguments.tflm:
                if core not in tflm:
                    tflm[core] = Tflm(board, arguments.tflm, arguments.build, arguments.jobs, arguments.include)
                row = tflm[core].measure(model, inputs)
                if row["output"] != own["output"]:
                    raise Failure("%s on %s: TensorFlow Lite Micro has another output" % (model.name, core))
                yield model, core, "TFLM with CMSIS-NN", row
            for peer, source, function in onnx_peers(arguments, model, folder) if model in arguments.onnx else ():
                try:
                    row = function_row(board, peer, source, function, inputs, len(own["output"]) // 4)
                except Failure as failure:
                    yield model, core, peer, str(failure).splitlines()[-1]
                    continue
                apart = max(abs(a - b) for a, b in zip(floats(row["output"]), floats(own["output"])))
                yield model, core, peer, row if apart <= arguments.tolerance else "differs by %g" % apart


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("--tflite", nargs="*", default=[], type=Path, metavar="MODEL")
    parser.add_argument("--onnx", nargs="*", default=[], type=Path, metavar="MODEL")
    parser.add_argument("--cores", nargs="*", default=["cortex-m4"], choices=list(BOARDS))
    parser.add_argument("--tflm", type=Path)
    parser.add_argument("--build", type=Path, help="a folder that keeps the compiled TensorFlow Lite Micro for another run")
    parser.add_argument("--include", nargs="*", default=[], type=Path, help="folders of the C++ library, if the compiler has none")
    parser.add_argument("--onnx2c", type=Path)
    parser.add_argument("--emx", type=Path)
    parser.add_argument("--tolerance", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows, failed = [], 0
    print("%-24s %-11s %-20s %13s %10s %10s" % ("Model", "Core", "", "Instructions", "RAM", "Flash"))
    with tempfile.TemporaryDirectory() as folder:
        try:
            for model, core, name, row in measured(arguments, Path(folder)):
                label = model.parent.name if model.stem == "model" else model.stem
                if isinstance(row, str):
                    failed += 1
                    print("%-24s %-11s %-20s %s" % (label[:24], core, name, row), flush=True)
                    continue
                print("%-24s %-11s %-20s %13s %10s %10s" % (label[:24], core, name, *("{:,}".format(row[k]) for k in ("instructions", "RAM", "flash"))), flush=True)
                rows.append({"model": label, "core": core, "name": name, **{k: row[k] for k in ("instructions", "RAM", "flash")}})
        except Failure as failure:
            print(failure, file=sys.stderr)
            failed += 1
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
