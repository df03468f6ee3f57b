#!/usr/bin/env python3
"""Makes the packages in two folders, compares their bytes and uses them: check_release.py [PACKAGES]

Clones the last commit to two folders and runs tools/package in them, under different locales, time zones and umasks.
With PACKAGES, a folder that tools/package wrote for this commit, one clone is made; with --once none, and nothing is
compared. Then each package is installed in a folder of its own and compiles a model, without the source tree: the version
is that of the changelog, manual pages, completion, schemas, licence and site are there, and firmware is built by
find_package(lathe) in three commands for each board. Skipped, by name, where a tool is missing.
"""
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

import check_firmware

root = pathlib.Path(__file__).resolve().parents[2]


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}\nended with {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def missing_tools():
    """The Debian packages of tools/package that are not installed: the test installs nothing."""
    tools = [tool for tool in ("git", "cmake", "ninja", "g++", "dpkg-deb", "dpkg-query", "xz") if shutil.which(tool) is None]
    if tools:
        return tools
    listed = run("bash", "-c", f". {root}/tools/install_packages.sh && echo ${{build_packages[@]}}").split()
    states = [subprocess.run(["dpkg-query", "-W", "-f", "${Status}", p], capture_output=True, text=True, check=False).stdout for p in listed]
    return [package for package, state in zip(listed, states) if "install ok installed" not in state]


def make_packages(folder, **environment):
    umask = int(environment.pop("UMASK"), 8)
    run("git", "clone", "-q", root, folder, umask=umask)
    run(folder / "tools/package", folder / "out", umask=umask, env={**os.environ, **environment})
    return folder / "out"


def sums(folder):
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(folder.iterdir())}


def check_program(lathe):
    """The program needs no library of the machine and no interpreter."""
    headers = run("readelf", "-lW", lathe)
    expect("INTERP" not in headers, "the program has no interpreter")
    expect("NEEDED" not in run("readelf", "-dW", lathe), "the program needs no library")
    expect(b"/generator/" not in lathe.read_bytes(), "the program names source files by their path in the source tree")


def run_alone(prefix, scratch):
    """Runs the program in a file system that has nothing else."""
    if os.geteuid() != 0:
        print("skipped: a file system with only the program needs root, for chroot")
        return
    folder = scratch / "alone"
    folder.mkdir()
    shutil.copy(prefix / "bin/lathe", folder)
    shutil.copy(prefix / "share/doc/lathe/samples/cnn/cnn.py", folder)
    run("chroot", folder, "/lathe", "compile", "/cnn.py", "-o", "/out", "--golden")
    expect((folder / "out/cnn_selftest.c").exists(), "the program compiles a model alone")


def use(prefix, scratch, command=None):
    """Compiles a model with nothing but the program in the environment, and a project by find_package."""
    lathe = command or prefix / "bin/lathe"
    samples = prefix / "share/doc/lathe/samples"
    work = scratch / "work"
    work.mkdir()
    bare = {"PATH": "/nonexistent"}
    run(lathe, "compile", samples / "cnn/cnn.py", "-n", "cnn", "-o", work / "cnn", "--golden", cwd="/", env=bare)
    run("cc", "-std=c99", f"-I{work}/cnn", "-DCNN_SELFTEST_MAIN", work / "cnn/cnn.c", work / "cnn/cnn_selftest.c", "-lm", "-o", work / "selftest")
    run(work / "selftest")
    expect("statically" in subprocess.run([lathe, "run", samples / "custom_extern/custom_extern.py", "--extern", "./none.so", "--random", "seed=1"],
                                          stderr=subprocess.PIPE, text=True, check=False, cwd=work).stderr, "a static program says why it loads no library")
    environment = {**os.environ, "PATH": f"{pathlib.Path(lathe).parent}:{os.environ['PATH']}"}
    run("cmake", "-S", samples / "two_models", "-B", work / "two", env=environment)
    run("cmake", "--build", work / "two", env=environment)
    expect(run(work / "two/watch").endswith("alarm\n"), "a project by find_package(lathe) runs")
    pages = sorted((prefix / "share/man/man1").glob("lathe*.1"))
    expect(len(pages) >= 10, f"manual pages: {pages}")
    if shutil.which("man"):
        for page in pages:
            said = subprocess.run(["man", "--warnings", "-l", str(page)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  check=False, env={**environment, "MANPAGER": "cat", "MANWIDTH": "100"}).stderr
            expect(said == "", f"{page} is well-formed: {said}")
    run("bash", "-n", prefix / "share/bash-completion/completions/lathe")
    for shell, page in (("zsh", "zsh/vendor-completions/_lathe"), ("fish", "fish/vendor_completions.d/lathe.fish")):
        expect((prefix / "share" / page).stat().st_size > 1000, f"completion for {shell} is there")
        if shutil.which(shell):
            run(shell, "-n", prefix / "share" / page)


def check_documents(prefix, lathe, with_site):
    """The version, the licence, the schemas, and the site, which the wheel leaves out."""
    documents = prefix / "share/doc/lathe"
    version = run(lathe, "--version").split()[1]
    newest = re.search(r"^## (\S+)", (documents / "CHANGELOG.md").read_text(), re.MULTILINE).group(1)
    expect(version == newest, f"the program is {version}, the newest entry of the changelog {newest}")
    expect((documents / "copyright").read_bytes() == (root / "LICENSE").read_bytes(), "the licence is there")
    for schema in (documents / "docs/schemas").glob("*.json"):
        json.loads(schema.read_text())
    expect(len(list((documents / "docs/schemas").glob("*.json"))) >= 5, "the schemas are there")
    run(sys.executable, "-B", root / "tests/report/check_schemas.py", lathe)
    pages = list((documents / "html").rglob("*.html"))
    expect(len(pages) > 1000 if with_site else not pages, f"{len(pages)} pages of the site are in {prefix}")
    if with_site:
        expect(f"Lathe {version}" in (documents / "html/index.html").read_text(), "the site is that of the version")


def check_firmware_project(prefix, scratch):
    tested = check_firmware.check(prefix, scratch / "boards")
    print(f"firmware: {tested} of {len(check_firmware.BOARDS)} boards")


def use_wheel(wheel, scratch):
    if importlib.util.find_spec("ensurepip") is None:
        print("skipped: the wheel needs the Debian package python3-venv")
        return
    place = scratch / "wheel/venv"
    venv.create(place, with_pip=True)
    run(place / "bin/pip", "install", "--no-index", wheel)
    use(place, scratch / "wheel", place / "bin/lathe")
    check_documents(place, place / "bin/lathe", with_site=False)
    said = run(place / "bin/python", "-m", "unittest", "discover", "-s", root / "python/tests", cwd=scratch,
               env={k: v for k, v in os.environ.items() if k not in ("LATHE_PROGRAM", "PYTHONPATH")})
    expect("OK" in said, f"the tests of the module with the wheel: {said}")
    run(place / "bin/pip", "uninstall", "-y", "lathe")
    expect(not (place / "bin/lathe").exists(), "pip removes the program")


def main():
    arguments = [word for word in sys.argv[1:] if word != "--once"]
    once = len(arguments) + 1 < len(sys.argv)
    if len(arguments) > 1 or once and not arguments:
        sys.exit(__doc__)
    missing = missing_tools()
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        if arguments:
            first = pathlib.Path(arguments[0]).resolve()
        else:
            first = make_packages(scratch / "a", LC_ALL="C.UTF-8", TZ="Asia/Tokyo", UMASK="022")
        second = first if once else make_packages(scratch / "another_folder_with_a_longer_name", LC_ALL="C", TZ="America/Lima", UMASK="027")
        expect(sums(first) == sums(second), f"the same bytes twice:\n{sums(first)}\n{sums(second)}")
        tarball, deb, wheel = (next(second.glob(p)) for p in ("*.tar.xz", "*.deb", "*.whl"))
        for part in ("tarball", "deb", "wheel"):
            (scratch / part).mkdir()
        run("tar", "-xf", tarball, "-C", scratch / "tarball")
        prefix = next((scratch / "tarball").iterdir())
        check_program(prefix / "bin/lathe")
        run_alone(prefix, scratch)
        use(prefix, scratch / "tarball")
        check_documents(prefix, prefix / "bin/lathe", with_site=True)
        check_firmware_project(prefix, scratch)
        run("dpkg-deb", "-x", deb, scratch / "deb")
        use(scratch / "deb/usr", scratch / "deb")
        check_documents(scratch / "deb/usr", scratch / "deb/usr/bin/lathe", with_site=True)
        use_wheel(wheel, scratch)
    print("release: passed")


if __name__ == "__main__":
    main()
