#!/usr/bin/env python3
"""Builds projects that use Lathe: check_packages.py BUILD_FOLDER

Installs what was built there into a fresh place, builds samples/two_models by find_package(lathe), changes a model and
builds again; does so with the build folder's bin/ on the PATH in place of an installation; then builds what `lathe compile --package cmake` and `make` write for samples/cnn, with their self-test.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def generators():
    yield "Unix Makefiles"
    if shutil.which("ninja"):
        yield "Ninja"


def find_package(prefix, scratch):
    for generator in generators():
        folder = scratch / generator.replace(" ", "_")
        shutil.copytree(root / "samples/two_models", folder / "source")
        run("cmake", "-S", folder / "source", "-B", folder / "build", "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
            "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror")
        run("cmake", "--build", folder / "build")
        said = run(folder / "build/watch")
        expect(said == "a tone: quiet\na tone with a jump: alarm\n", f"watch printed {said!r}")

        header = folder / "build/lathe/alarm/alarm.h"
        before = header.stat().st_mtime_ns
        again = run("cmake", "--build", folder / "build")
        expect("Compiling" not in again, f"nothing was to be done, and {generator} did\n{again}")
        model = folder / "source/alarm.py"
        model.write_text(model.read_text().replace("R.const(2.0", "R.const(1000.0"))
        again = run("cmake", "--build", folder / "build")
        expect("Compiling alarm.py" in again and "Compiling smooth.py" not in again, f"only the model that changed is compiled\n{again}")
        expect(run(folder / "build/watch").endswith("jump: quiet\n"), "the changed model is in the program")
        expect(before == header.stat().st_mtime_ns or "BUNDLE" in header.read_text(), "the header keeps its time or has a new stamp")


def build_folder(build, scratch):
    """The build folder is a package too: its bin/ on the PATH is enough for find_package, on the host and for Cortex-M."""
    environment = {**os.environ, "PATH": f"{build}/bin:{os.environ['PATH']}"}
    folder = scratch / "build_folder"
    shutil.copytree(root / "samples/two_models", folder)
    project = folder / "CMakeLists.txt"
    project.write_text(project.read_text() + "foreach(file ${lathe_INCLUDE_DIR}/lathe/rt.h ${lathe_RUNTIME_DIR}/README.md)\n"
                       "  if(NOT EXISTS ${file})\n    message(FATAL_ERROR \"no ${file}\")\n  endif()\nendforeach()\n")
    run("cmake", "-S", folder, "-B", folder / "build", env=environment)
    found = [line for line in (folder / "build/CMakeCache.txt").read_text().splitlines() if line.startswith("lathe_DIR")]
    expect(found == [f"lathe_DIR:PATH={build}"], f"the build folder is found: {found}")
    run("cmake", "--build", folder / "build", env=environment)
    expect(run(folder / "build/watch").endswith("jump: alarm\n"), "the program of the build folder's package runs")
    if not shutil.which("arm-none-eabi-gcc"):
        print("skipped: firmware with the build folder needs the Debian packages gcc-arm-none-eabi libnewlib-arm-none-eabi")
        return
    shutil.copytree(root / "samples/firmware", scratch / "samples/firmware", ignore=shutil.ignore_patterns("build"))
    shutil.copytree(root / "samples/keyword", scratch / "samples/keyword", ignore=shutil.ignore_patterns("build"))
    for sample in ("firmware", "keyword"):
        folder = scratch / "samples" / sample
        run("cmake", "-S", folder, "-B", folder / "build", "--toolchain", scratch / "samples/firmware/boards/mps2_an386.cmake", env=environment)
        run("cmake", "--build", folder / "build", env=environment)


def link_time_optimisation(prefix, scratch):
    """Objects of link-time optimization have no code, which passes no budget."""
    for name, how in (("flag", "-DCMAKE_C_FLAGS=-flto"), ("property", "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")):
        for budget, message in (("MAX_FLASH 16", "flash: "), ("MAX_STACK 1M", "link-time optimization hides the call graph")):
            folder = scratch / f"lto_{name}_{budget.split()[0]}"
            shutil.copytree(root / "samples/two_models", folder)
            project = folder / "CMakeLists.txt"
            project.write_text(project.read_text().replace("MODEL alarm.py", f"MODEL alarm.py {budget}"))
            run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", how)
            done = subprocess.run(["cmake", "--build", str(folder / "build")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            expect(done.returncode != 0 and message in done.stdout, f"{budget} with {how} stops the build: {done.stdout}")


def bare_metal(prefix, scratch):
    """A firmware project in C alone: find_package(lathe) with a toolchain for Cortex-M, libm linked."""
    if not shutil.which("arm-none-eabi-gcc"):
        print("skipped: find_package for Cortex-M needs the Debian packages gcc-arm-none-eabi libnewlib-arm-none-eabi")
        return
    folder = scratch / "bare_metal"
    folder.mkdir()
    (folder / "toolchain.cmake").write_text(
        "set(CMAKE_SYSTEM_NAME Generic)\nset(CMAKE_SYSTEM_PROCESSOR cortex-m4)\nset(CMAKE_C_COMPILER arm-none-eabi-gcc)\n"
        "set(CMAKE_C_FLAGS_INIT \"-mcpu=cortex-m4 -mthumb\")\nset(CMAKE_EXE_LINKER_FLAGS_INIT \"--specs=nosys.specs\")\n")
    (folder / "net.py").write_text(
        "from tvm.script import ir as I, relax as R\n\n\n@I.ir_module\nclass Net:\n    @R.function\n"
        "    def main(x: R.Tensor((4,), \"float32\")):\n        return R.exp(x)\n")
    (folder / "main.c").write_text(
        '#include "net.h"\nint main(void) {\n  static net m;\n  static float x[4], y[4];\n  const net_inputs in = {x};\n'
        "  const net_outputs out = {y};\n  return net_init(&m, NULL, 0) + net_run(&m, &in, &out);\n}\n")
    for name, how in (("found", "find_package(lathe REQUIRED)\nlathe_add_model(net MODEL net.py TARGET_DEVICE cortex-m4)"),
                      ("packed", "add_subdirectory(net)")):
        here = scratch / f"bare_metal_{name}"
        shutil.copytree(folder, here)
        if name == "packed":
            run(prefix / "bin/lathe", "compile", here / "net.py", "-t", "cortex-m4", "-o", here / "net", "--package", "cmake")
        (here / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.20)\nproject(firmware C)\n{how}\nadd_executable(firmware main.c)\n"
            "target_link_libraries(firmware PRIVATE net)\n")
        run("cmake", "-S", here, "-B", here / "build", f"-DCMAKE_TOOLCHAIN_FILE={here}/toolchain.cmake",
            f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=NEVER")
        run("cmake", "--build", here / "build")


def assembler(prefix, scratch):
    """Weights that the assembler includes need the language ASM, which is asked for."""
    for languages, works in (("C", False), ("C ASM", True)):
        folder = scratch / f"assembler_{works}"
        shutil.copytree(root / "samples/two_models", folder)
        project = folder / "CMakeLists.txt"
        project.write_text(project.read_text().replace("LANGUAGES C", f"LANGUAGES {languages}").replace("smooth.py", "smooth.py ARGS --weights incbin"))
        configure = ["cmake", "-S", str(folder), "-B", str(folder / "build"), f"-DCMAKE_PREFIX_PATH={prefix}"]
        done = subprocess.run(configure, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        expect((done.returncode == 0) == works and works != ("needs the language ASM" in done.stdout), f"LANGUAGES {languages}: {done.stdout}")
        if works:
            run("cmake", "--build", folder / "build")
            run(folder / "build/watch")


def shared_arena(prefix, scratch):
    """Two models in one library: the arena of one header, a budget that counts it once, and a build after a change."""
    folder = scratch / "shared_arena"
    shutil.copytree(root / "samples/two_models", folder)
    project = folder / "CMakeLists.txt"
    lines = [line for line in project.read_text().splitlines() if not line.startswith("lathe_add_model")]
    text = "\n".join(lines).replace("PRIVATE smooth alarm", "PRIVATE models")
    models = "lathe_add_model(models MODEL smooth.py alarm.py SHARE_ARENA memory_of_watch MAX_RAM %s)\n"
    watch = folder / "watch.c"
    watch.write_text(watch.read_text().replace('#include "alarm.h"', '#include "memory_of_watch.h"').replace(
        "bytes[ARENA_SIZE", "bytes[MEMORY_OF_WATCH_ARENA_SIZE"))
    configure = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
    before, after = text.split("add_executable")
    for budget, works in (("100", False), ("4K", True)):
        project.write_text(before + models % budget + "add_executable" + after)
        run(*configure)
        done = subprocess.run(["cmake", "--build", str(folder / "build")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        expect((done.returncode == 0) == works and works != ("but the budget is 100" in done.stdout), f"a budget of {budget}: {done.stdout}")
    expect(run(folder / "build/watch").endswith("jump: alarm\n"), "two models run in one arena")
    expect("Compiling" not in run("cmake", "--build", folder / "build"), "nothing was to be done")
    model = folder / "alarm.py"
    model.write_text(model.read_text().replace("R.const(2.0", "R.const(1000.0"))
    expect("Compiling smooth.py alarm.py" in run("cmake", "--build", folder / "build"), "a changed model is compiled")
    expect(run(folder / "build/watch").endswith("jump: quiet\n"), "the changed model is in the program")
    project.write_text(before + "lathe_add_model(models MODEL smooth.py alarm.py)\nadd_executable" + after)
    refused = subprocess.run([str(w) for w in configure], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False)
    expect(refused.returncode != 0 and "several models need SHARE_ARENA NAME" in refused.stderr, f"refused: {refused.stderr}")


def pregenerated(prefix, scratch):
    """A model whose C is kept in the repository: built from there, compared, and written again on request."""
    folder = scratch / "pregenerated"
    shutil.copytree(root / "samples/two_models", folder)
    project = folder / "CMakeLists.txt"
    project.write_text(project.read_text().replace("MODEL alarm.py", "MODEL alarm.py PREGENERATED gen/alarm"))
    configure = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
    failed = subprocess.run([str(w) for w in configure], stderr=subprocess.PIPE, text=True, check=False, stdout=subprocess.DEVNULL)
    command = re.search(r"this writes\s+it:\n\n( +/.*)\n", failed.stderr)
    expect(failed.returncode != 0 and command, f"missing files are named with the command in one line: {failed.stderr}")
    run(*shlex.split(command.group(1)))
    run(*configure)
    said = run("cmake", "--build", folder / "build")
    expect("Compiling alarm.py" not in said and "Compiling smooth.py" in said, f"kept files are not generated in the build: {said}")
    expect(run(folder / "build/watch").endswith("alarm\n"), "the program of kept files runs")
    run("cmake", "--build", folder / "build", "--target", "alarm_check")
    (folder / "alarm.py").write_text((folder / "alarm.py").read_text().replace("R.const(2.0", "R.const(1000.0"))
    run("cmake", "--build", folder / "build")
    expect(run(folder / "build/watch").endswith("jump: alarm\n"), "a change of the model does not change kept files")
    check = ["cmake", "--build", str(folder / "build"), "--target", "alarm_check"]
    expect(subprocess.run(check, capture_output=True, check=False).returncode != 0, "kept files that differ fail the check")
    run("cmake", "--build", folder / "build", "--target", "alarm_update")
    run(*check)
    run("cmake", "--build", folder / "build")
    expect(run(folder / "build/watch").endswith("jump: quiet\n"), "updated files are compiled")


def build_without_lathe(prefix, scratch):
    """The project of docs/packages.md, where Lathe is installed and where it is not."""
    folder = scratch / "without_lathe"
    folder.mkdir()
    text = (root / "docs/packages.md").read_text()
    shown = text[text.index("## Projects without Lathe"):]
    command = re.search(r"^    lathe (compile .*)$", shown, re.MULTILINE).group(1)
    lines = re.search(r"```cmake\n(.*?)```", shown, re.DOTALL).group(1)
    shutil.copy(root / "samples/cnn/cnn.py", folder / "wake.py")
    (folder / "app.c").write_text('#include "wake.h"\nint main(void) { return WAKE_ARENA_SIZE == 0u; }\n')
    (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.20)\nproject(app C)\nadd_executable(app app.c)\n{lines}".replace("wake.onnx", "wake.py"))
    run(prefix / "bin/lathe", *command.replace("wake.onnx", "wake.py").split(), cwd=folder)
    for name, where in (("with", [f"-DCMAKE_PREFIX_PATH={prefix}"]), ("without", ["-DCMAKE_DISABLE_FIND_PACKAGE_lathe=ON"])):
        run("cmake", "-S", folder, "-B", folder / name, *where)
        run("cmake", "--build", folder / name)
        run(folder / name / "app")
    run("cmake", "--build", folder / "with", "--target", "wake_check")


def packages(lathe, scratch):
    model = root / "samples/cnn/cnn.py"
    for weights in ("words", "incbin"):
        folder = scratch / f"cmake_{weights}"
        run(lathe, "compile", model, "-n", "cnn", "-o", folder, "--package", "cmake", "--golden", "--weights", weights)
        run("cmake", "-S", folder, "-B", folder / "build", "-DCNN_SELFTEST=ON")
        run("cmake", "--build", folder / "build")
        run("ctest", "--test-dir", folder / "build")
        folder = scratch / f"make_{weights}"
        run(lathe, "compile", model, "-n", "cnn", "-o", folder, "--package", "make", "--golden", "--weights", weights)
        run("make", "-C", folder)
        expect((folder / "libcnn.a").exists(), "make makes a library")
        run("make", "-C", folder, "check")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.environ.pop("MAKEFLAGS", None)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        prefix = scratch / "prefix"
        run("cmake", "--install", sys.argv[1], "--prefix", prefix)
        find_package(prefix, scratch)
        build_folder(pathlib.Path(sys.argv[1]).resolve(), scratch)
        link_time_optimisation(prefix, scratch)
        bare_metal(prefix, scratch)
        shared_arena(prefix, scratch)
        pregenerated(prefix, scratch)
        build_without_lathe(prefix, scratch)
        assembler(prefix, scratch)
        packages(prefix / "bin/lathe", scratch)
    print("packages: fine")


if __name__ == "__main__":
    main()
