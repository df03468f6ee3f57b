#!/usr/bin/env python3
"""Builds a project with many models: check_many_models.py LATHE_PREFIX_OR_BUILD [COUNT]

The models are compiled in parallel by Ninja. A change of one model, or of a file that it reads, compiles this model
only; a change of its text that does not change the C compiles no C. Prints the seconds of each step.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

MODEL = """from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, {size}), "float32"), w: R.Tensor(({size}, 4), "float32")) -> R.Tensor((1, 4), "float32"):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.nn.relu(R.add(y, R.const({value}, "float32")))
            R.output(z)
        return z
"""


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def write_project(folder, count):
    folder.mkdir()
    lines = ["cmake_minimum_required(VERSION 3.20)", "project(many C)", "find_package(lathe REQUIRED)"]
    uses = []
    for i in range(count):
        (folder / f"m{i}.py").write_text(MODEL.format(size=i % 13 + 1, value=float(i)))
        lines.append(f"lathe_add_model(m{i} MODEL m{i}.py)")
        uses.append(f"m{i}")
    lines += ["lathe_add_model(tuned MODEL tuned.py ARGS --params ${CMAKE_CURRENT_SOURCE_DIR}/tuned.npz)", "add_executable(app main.c)",
              f"target_link_libraries(app PRIVATE tuned {' '.join(uses)})"]
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    (folder / "tuned.py").write_text(MODEL.format(size=2, value=0.5))
    write_params(folder / "tuned.npz", 1)
    (folder / "main.c").write_text("".join(f'#include "{m}.h"\n' for m in ["tuned", *uses]) + "int main(void) {\n  int failures = 0;\n" +
                                   "".join(f"  {{\n    {m} net;\n    failures += {m}_init(&net, NULL, 0) != LATHE_OK;\n  }}\n" for m in uses) +
                                   "  return failures;\n}\n")


def write_params(path, first):
    """An .npz file with w of 2x4 floats, stored without numpy."""
    import struct
    import zipfile
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }"
    header += " " * ((64 - (10 + len(header) + 1) % 64) % 64) + "\n"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("w.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack("<8f", first, *range(7)))


def build(folder, what):
    started = time.monotonic()
    said = run("cmake", "--build", folder)
    print(f"{what:56} {time.monotonic() - started:6.1f} s")
    compiled = [line.split("Compiling ")[1].split(" to C")[0] for line in said.splitlines() if "Compiling " in line]
    objects = [line for line in said.splitlines() if "Building C object" in line]
    return compiled, objects


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if shutil.which("ninja") is None:
        print("skipped: ninja is not installed")
        return
    count = int(sys.argv[2]) if len(sys.argv) == 3 else 200
    os.environ.pop("MAKEFLAGS", None)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        prefix, source, folder = scratch / "prefix", scratch / "many", scratch / "build"
        run("cmake", "--install", sys.argv[1], "--prefix", prefix)
        write_project(source, count)
        started = time.monotonic()
        configure = ["cmake", "-S", source, "-B", folder, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"]
        run(*configure)
        print(f"{f'configure {count + 1} models':56} {time.monotonic() - started:6.1f} s")
        compiled, objects = build(folder, "build all")
        expect(len(compiled) == count + 1 and len(objects) == count + 2, f"{count + 1} models are compiled: {len(compiled)}, {len(objects)} objects")
        run(folder / "app")
        expect(build(folder, "build again") == ([], []), "a second build does nothing")
        model = source / "m7.py"
        model.write_text(model.read_text().replace("7.0", "7.5"))
        compiled, objects = build(folder, "build after a change of one model")
        expect(compiled == ["m7.py"] and len(objects) == 2, f"one model is compiled, and the source that includes its header: {compiled}, {objects}")
        model.write_text("# A comment.\n" + model.read_text())
        compiled, objects = build(folder, "build after a change of a comment in one model")
        expect(compiled == ["m7.py"] and len(objects) == 2, f"the header has another checksum of the model: {compiled}, {objects}")
        model.touch()
        compiled, objects = build(folder, "build after one model is written again")
        expect(compiled == ["m7.py"] and objects == [], f"equal output compiles no C: {compiled}, {objects}")
        write_params(source / "tuned.npz", 2)
        compiled, objects = build(folder, "build after a change of the parameters of one model")
        expect(compiled == ["tuned.py"] and len(objects) >= 1, f"the depfile has the parameters: {compiled}, {objects}")
        expect(build(folder, "build again") == ([], []), "a build after these does nothing")
        started = time.monotonic()
        run(*configure)
        print(f"{'configure again':56} {time.monotonic() - started:6.1f} s")
        names = sorted(str(f.relative_to(folder)) for f in (folder / "lathe").rglob("*") if f.is_file() and f.suffix != ".stamp")
        again = scratch / "again"
        run(*["cmake", "-S", source, "-B", again, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"])
        build(again, "build all in another folder")
        for file in names:
            if pathlib.Path(file).suffix in (".c", ".h"):
                expect((folder / file).read_bytes() == (again / file).read_bytes(), f"{file} has the same bytes in two folders, for remote caches")
    print(f"many models: {count + 1} passed")


if __name__ == "__main__":
    main()
