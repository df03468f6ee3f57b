#!/usr/bin/env python3
"""Builds and runs what `lathe compile --package` makes: check_package_kinds.py LATHE [--slow]

Each kind of package is checked by the rules of its build system, and its example is built and run on the host. The
real tool is used where it is installed: Meson and kconfiglib; with --slow PlatformIO, the component manager of ESP-IDF
and Bazel. The builds of Zephyr, ESP-IDF and Arduino are emulated by stubs/. What was skipped is printed.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

root = pathlib.Path(__file__).resolve().parents[2]
stubs = pathlib.Path(__file__).resolve().parent / "stubs"
C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
KINDS = {}
INCBIN = ("zephyr", "esp-idf", "meson")  # the kinds that support --weights incbin
SKIPPED = set()


def kind(name):
    def add(check):
        KINDS[name] = check
        return check
    return add


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def skipped(what):
    if what not in SKIPPED:
        print(f"skipped: {what}")
    SKIPPED.add(what)


def sources_below(folder):
    return sorted(str(f.relative_to(folder)) for f in folder.rglob("*.c") if "examples" not in f.parts)


def compile_host(folder, include, sources, main, scratch):
    """Compiles the sources and a main program without warnings, and returns what the program prints."""
    program = scratch / "program"
    run("cc", *C_FLAGS, f"-I{include}", *(folder / s for s in sources), main, "-lm", "-o", program)
    return run(program)


def check_kconfig(package, scratch):
    """The option of the module, beside one of Zephyr, as kconfiglib reads it."""
    try:
        import kconfiglib
    except ImportError:
        skipped("kconfiglib is not installed: Kconfig is checked by its text")
        return
    main = scratch / "Kconfig"
    main.write_text(f'config REQUIRES_FULL_LIBC\n\tbool\n\nsource "{package}/zephyr/Kconfig"\n')
    options = kconfiglib.Kconfig(str(main), warn_to_stderr=False)
    expect(options.warnings == [], f"Kconfig has no warnings: {options.warnings}")
    options.syms["LATHE_CNN"].set_value("y")
    expect(options.syms["REQUIRES_FULL_LIBC"].str_value == "y", "a model with math functions selects the C library")


@kind("zephyr")
def zephyr(package, scratch, _slow):
    module = (package / "zephyr/module.yml").read_text()
    expect(re.search(r'^name: "lathe_cnn"\nbuild:\n  cmake: zephyr\n  kconfig: zephyr/Kconfig\nsamples:\n  - sample\n', module, re.M), f"module.yml\n{module}")
    kconfig = (package / "zephyr/Kconfig").read_text()
    expect(re.search(r'^config LATHE_CNN\n\tbool "[^"]+"\n', kconfig, re.M), f"Kconfig\n{kconfig}")
    check_kconfig(package, scratch)
    sample = (package / "sample/sample.yaml").read_text()
    wanted = re.search(r'regex:\n\s+- "(.*)"', sample)[1]
    run("cmake", "-S", package / "sample", "-B", scratch / "build", f"-DZephyr_DIR={stubs}/zephyr", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror")
    run("cmake", "--build", scratch / "build")
    expect(re.search(wanted, run(scratch / "build/app")), "the sample prints what sample.yaml waits for")
    skipped("west build: Zephyr is in no registry; its CMake functions are emulated")


@kind("esp-idf")
def esp_idf(package, scratch, slow):
    manifest = (package / "idf_component.yml").read_text()
    version = re.search(r'^version: "(.*)"$', manifest, re.M)
    expect(version and VERSION.fullmatch(version[1]), f"the version of idf_component.yml\n{manifest}")
    keys = set(re.findall(r"^(\w+):", manifest, re.M))
    expect(keys <= {"version", "description", "license", "dependencies", "url", "tags"}, f"the keys of idf_component.yml: {keys}")
    run("cmake", "-S", package / "examples/run", "-B", scratch / "build", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror",
        env={**os.environ, "IDF_PATH": str(stubs / "esp_idf")})
    run("cmake", "--build", scratch / "build")
    expect(run(scratch / "build/cnn_run") == "cnn: ok (0)\n", "the example runs")
    skipped("idf.py build: ESP-IDF is in no registry; its CMake functions are emulated")
    compote = shutil.which("compote")
    if not slow or not compote:
        skipped("compote component pack" + ("" if slow else " is slow") + ("" if compote else ": idf-component-manager is not installed"))
        return
    run(compote, "component", "pack", "--name", "cnn", "--dest-dir", scratch / "packed", cwd=package)
    expect((scratch / "packed/cnn_1.0.0.tgz").exists(), "the component manager packs the component")


@kind("arduino")
def arduino(package, scratch, _slow):
    lines = (package / "library.properties").read_text().splitlines()
    fields = dict(line.split("=", 1) for line in lines)
    required = ["name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"]
    expect(all(f in fields for f in required), f"library.properties has {', '.join(required)}; it has {list(fields)}")
    expect(VERSION.fullmatch(fields["version"]) and re.fullmatch(r"[A-Za-z0-9][\w .-]{0,62}", fields["name"]), f"name and version: {fields}")
    expect(fields["category"] in ("Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing", "Data Storage",
                                  "Data Processing", "Other"), f"category {fields['category']}")
    expect((package / "src" / fields["includes"]).exists(), "the header of `includes` is in src/")
    for sketch in package.glob("examples/*"):
        expect((sketch / f"{sketch.name}.ino").exists(), "a sketch has the name of its folder")
    objects = []
    for source in sources_below(package / "src"):
        objects.append(scratch / (source.replace("/", "_") + ".o"))
        run("cc", *C_FLAGS, f"-I{package}/src", "-c", package / "src" / source, "-o", objects[-1])
    run("c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", f"-I{package}/src", f"-I{stubs}/arduino", "-include", "Arduino.h",
        "-x", "c++", package / "examples/cnn_run/cnn_run.ino", "-x", "none", *objects, "-lm", "-o", scratch / "sketch")
    expect(run(scratch / "sketch") == "cnn: 0\n", "the sketch runs")
    skipped("arduino-cli: it is in no registry; the rules of its library format are checked, and the sketch runs on the host")


@kind("platformio")
def platformio(package, scratch, slow):
    manifest = json.loads((package / "library.json").read_text())
    expect(VERSION.fullmatch(manifest["version"]) and manifest["name"] == "cnn", f"library.json: {manifest}")
    expect((package / manifest["build"]["srcDir"] / manifest["headers"]).exists(), "the header is in srcDir")
    for example in manifest["examples"]:
        for name in example["files"]:
            expect((package / example["base"] / name).exists(), f"the example {name}")
    said = compile_host(package, package / "src", [f"src/{s}" for s in sources_below(package / "src")], package / "examples/run/main.c", scratch)
    expect(said == "cnn: ok (0)\n", f"the example runs: {said}")
    pio = shutil.which("pio")
    if not slow or not pio:
        skipped("pio pkg pack" + ("" if slow else " is slow") + ("" if pio else ": PlatformIO is not installed"))
        return
    # PlatformIO compares the licence with a list that it downloads.
    copy = scratch / "copy"
    shutil.copytree(package, copy)
    del manifest["license"]
    (copy / "library.json").write_text(json.dumps(manifest))
    run(pio, "pkg", "pack", "-o", scratch, copy, env={**os.environ, "PLATFORMIO_CORE_DIR": str(scratch / "core")})
    expect((scratch / "cnn-1.0.0.tar.gz").exists(), "pio makes a package")


@kind("cmsis-pack")
def cmsis_pack(package, scratch, _slow):
    description = package / "Lathe.cnn.pdsc"
    pack = xml.etree.ElementTree.parse(description).getroot()
    expect(pack.tag == "package" and re.fullmatch(r"1\.7\.\d+", pack.get("schemaVersion")), "the root element is <package> of schema 1.7")
    tags = [child.tag for child in pack]
    expect(tags == ["vendor", "name", "description", "url", "releases", "keywords", "components"], f"the elements of the package: {tags}")
    vendor, name = pack.findtext("vendor"), pack.findtext("name")
    expect(description.name == f"{vendor}.{name}.pdsc", "the name of the file is VENDOR.NAME.pdsc")
    expect(all(re.fullmatch(r"[\-_A-Za-z0-9]+", text) for text in (vendor, name)), "vendor and name have no other characters")
    releases = pack.findall("releases/release")
    expect(releases and all(VERSION.fullmatch(r.get("version")) for r in releases), "the versions of the releases")
    components = pack.findall("components/component")
    expect(len(components) == 1, "a component")
    for component in components:
        expect(VERSION.fullmatch(component.get("Cversion")), "the version of the component")
        expect(component.get("Cclass") and component.get("Cgroup"), "Cclass and Cgroup are required")
        expect([c.tag for c in component] == ["description", "files"], "the elements of the component")
    categories = {"doc", "header", "include", "library", "object", "source", "sourceC", "sourceCpp", "sourceAsm", "linkerScript", "utility",
                  "image", "other", "preIncludeGlobal", "preIncludeLocal"}
    files = pack.findall("components/component/files/file")
    for file in files:
        expect(file.get("category") in categories, f"the category {file.get('category')}")
        expect((package / file.get("name")).exists(), f"{file.get('name')} is in the pack")
        expect((file.get("attr") == "template") == (file.get("select") is not None), "templates, and only they, have a text for the selection")
        expect(file.get("category") != "include" or file.get("name").endswith("/"), "an include path ends with /")
    of = {c: [f.get("name") for f in files if f.get("category") == c and f.get("attr") is None] for c in categories}
    listed = {f.get("name") for f in files}
    there = {str(f.relative_to(package)) for f in package.rglob("*.[ch]")}
    expect(there <= listed, f"files that the pack does not list: {there - listed}")
    said = compile_host(package, package / of["include"][0], of["sourceC"], package / "cnn_main.c", scratch)
    expect(said == "cnn: ok (0)\n", f"the component runs: {said}")
    skipped("packchk: it is in no registry; the published rules of the format are checked")


@kind("meson")
def meson(package, scratch, _slow):
    listed = set(re.findall(r"'([\w/]+\.c)'", (package / "meson.build").read_text()))
    expect(listed == set(sources_below(package)), f"the sources of meson.build: {listed}")
    tool = shutil.which("meson")
    if tool is None or shutil.which("ninja") is None:
        skipped("meson is not installed")
        return
    run(tool, "setup", "--fatal-meson-warnings", scratch / "build", package)
    run(tool, "test", "-C", scratch / "build")
    outer = scratch / "outer"
    shutil.copytree(package, outer / "subprojects/cnn")
    (outer / "meson.build").write_text("project('outer', 'c')\nexecutable('outer', 'main.c', dependencies: dependency('cnn', fallback: ['cnn', 'cnn_dep']))\n")
    (outer / "main.c").write_text('#include "cnn.h"\nint main(void) { return CNN_ARENA_SIZE == 0u; }\n')
    run(tool, "setup", scratch / "outer_build", outer)
    run("ninja", "-C", scratch / "outer_build")
    run(scratch / "outer_build/outer")


def bazel_overrides():
    """The repositories of Debian's packages, which Bazel otherwise downloads."""
    shared = pathlib.Path("/usr/share/bazel")
    places = {"rules_cc": stubs / "rules_cc", "remote_coverage_tools": stubs / "remote_coverage_tools", "rules_java": shared / "rules/java",
              "rules_proto": shared / "rules/proto", "bazel_skylib": shared / "tools/skylib", "platforms": shared / "tools/platforms"}
    if not all(place.exists() for place in places.values()):
        return None
    return [f"--override_repository={name}={place}" for name, place in places.items()]


@kind("bazel")
def bazel(package, scratch, slow):
    loaded, calls = [], []
    rules = {"load": lambda *names: loaded.append(names), "cc_library": lambda **a: calls.append(("cc_library", a)),
             "cc_test": lambda **a: calls.append(("cc_test", a)), "module": lambda **a: calls.append(("module", a)),
             "bazel_dep": lambda **a: calls.append(("bazel_dep", a))}
    for name in ("BUILD.bazel", "MODULE.bazel"):  # Starlark of this kind is Python too
        exec(compile((package / name).read_text(), name, "exec"), dict(rules))
    expect([c for c, _ in calls] == ["cc_library", "cc_test", "module", "bazel_dep"], f"the rules: {calls}")
    library = calls[0][1]
    expect(sorted(library["srcs"]) == sorted("src/" + s for s in sources_below(package / "src")), f"the sources: {library}")
    expect(all((package / h).exists() for h in library["hdrs"]) and library["includes"] == ["src"], f"the headers: {library}")
    tool, overrides = shutil.which("bazel"), bazel_overrides()
    if not slow or tool is None or overrides is None:
        missing = "" if tool and overrides else ": it needs the Debian packages bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-skylib bazel-platforms"
        skipped("bazel test" + ("" if slow else " is slow") + missing)
        return
    (package / "WORKSPACE").write_text("")  # Bazel 4, of Debian 12, has no modules
    words = [tool, f"--output_user_root={scratch}/bazel", "--host_jvm_args=-Xmx512m"]
    run(*words, "test", *overrides, "//:cnn_selftest", cwd=package)
    run(*words, "shutdown", cwd=package)
    run("chmod", "-R", "u+w", scratch)


def examples(lathe, scratch):
    """The example of a package without a self-test, with pools, and with a state; and of a model that it cannot run."""
    cases = {"net_zeros": ("samples/cnn/cnn.py", [], "net_zeros: ok (0)\n"),
             "net_pools": ("samples/cnn/cnn.py", ["--pool", "pools:2K", "--pool", "arena_size:64K"], "net_pools: ok (0)\n"),
             "net_kept": ("tests/state/streaming.py", ["--pool", "stack:64K"], "net_kept: ok (0)\n"),
             "net_tested": ("tests/state/streaming.py", ["--golden"], "net_tested: ok (0)\n"),
             "net_open": ("samples/mlp/mlp.py", [], "net_open: net_open.h describes the memory and the inputs of a run\n")}
    for name, (model, words, wanted) in cases.items():
        folder = scratch / name
        run(lathe, "compile", root / model, "-n", name, "-o", folder, "--package", "cmsis-pack", "--package-version", "2.10.3", *words)
        sources = [s for s in sources_below(folder) if s != f"{name}_main.c"]
        said = compile_host(folder, folder, sources, folder / f"{name}_main.c", folder)
        expect(said == wanted, f"the example of {name} prints {wanted!r}: {said!r}")
        expect('version="2.10.3"' in (folder / f"Lathe.{name}.pdsc").read_text(), "the version of --package-version")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    lathe, slow = pathlib.Path(sys.argv[1]).resolve(), "--slow" in sys.argv[2:]
    os.environ.pop("MAKEFLAGS", None)
    usage = subprocess.run([lathe, "compile", "x.py", "--package", "?"], stderr=subprocess.PIPE, text=True, check=False).stderr
    choices = re.search(r"must be one of (.*); got", usage)
    expect(choices is not None, f"a wrong package is told the choices: {usage}")
    kinds = [k for k in choices[1].split(", ") if k not in ("plain", "cmake", "make")]  # check_packages.py has these
    expect(kinds == list(KINDS), f"each kind has a check: {kinds}, {list(KINDS)}")
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for kind_name, check in KINDS.items():
            for weights in ("words", "incbin") if slow and kind_name in INCBIN else ("words",):
                package, work = scratch / kind_name / weights / "cnn", scratch / kind_name / weights / "work"
                work.mkdir(parents=True)
                run(lathe, "compile", root / "samples/cnn/cnn.py", "-n", "cnn", "-o", package, "--package", kind_name, "--golden", "--weights", weights)
                check(package, work, slow)
        examples(lathe, scratch)
    print(f"package kinds: {len(KINDS)} passed")


if __name__ == "__main__":
    main()
