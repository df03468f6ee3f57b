#!/usr/bin/env python3
"""Makes a wheel of the module and an installed tree: build_wheel.py PREFIX FOLDER

PREFIX is what `cmake --install --prefix PREFIX` made. Prints the path of the wheel. A static program gets the tag
manylinux2014, which pip installs on any Linux of the processor; another one the tag of this machine only. Equal inputs
give equal bytes: SOURCE_DATE_EPOCH is the time stamp of all files.
"""
import base64
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import time
import zipfile

module = pathlib.Path(__file__).resolve().parent / "lathe"
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF
PT_INTERP = 3


def platform_tag(program):
    """Returns the tag for an ELF file: one without an interpreter needs no library of the machine."""
    data = program.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"build_wheel: {program} is not a program for 64-bit Linux")
    (machine,) = struct.unpack_from("<H", data, 18)
    if machine not in MACHINES:
        sys.exit(f"build_wheel: {program} is for the processor {machine}; supported: {', '.join(MACHINES.values())}")
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    types = [struct.unpack_from("<I", data, table + i * size)[0] for i in range(count)]
    return f"{'linux' if PT_INTERP in types else 'manylinux2014'}_{MACHINES[machine]}"


def version_of(prefix):
    """The version in the CMake package, because the program may be for another machine."""
    text = (prefix / "share/cmake/lathe/lathe-config-version.cmake").read_text()
    return re.search(r'set\(PACKAGE_VERSION "([^"]+)"\)', text)[1]


def epoch():
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        done = subprocess.run(["git", "-C", module, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False)
        given = done.stdout.strip()
    if not given:
        sys.exit("build_wheel: set SOURCE_DATE_EPOCH to the time stamp of the files: this source tree is no clone")
    return max(int(given), 315532800)  # zip files start in 1980


def contents(prefix, version, tag):
    """Yields the name, the bytes and the permission of each file but RECORD."""
    for path in sorted(module.iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"lathe/{path.name}", path.read_bytes(), 0o644
    data = f"lathe-{version}.data"
    yield f"{data}/scripts/lathe", (prefix / "bin/lathe").read_bytes(), 0o755
    for folder in ("include", "share"):
        for path in sorted((prefix / folder).rglob("*")):
            if path.is_file() and "html" not in path.relative_to(prefix).parts:  # the site is in the other packages
                yield f"{data}/data/{path.relative_to(prefix).as_posix()}", path.read_bytes(), 0o644
    info = f"lathe-{version}.dist-info"
    yield f"{info}/METADATA", (
        f"Metadata-Version: 2.1\nName: lathe\nVersion: {version}\n"
        "Summary: Ahead-of-time compiler for neural networks to C and CUDA\nLicense: Apache-2.0\n"
        "Requires-Python: >=3.8\nProvides-Extra: arrays\nRequires-Dist: numpy; extra == \"arrays\"\n").encode(), 0o644
    yield f"{info}/WHEEL", (f"Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n").encode(), 0o644


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    prefix, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    version, tag = version_of(prefix), platform_tag(prefix / "bin/lathe")
    stamp = time.gmtime(epoch())[:6]
    files = list(contents(prefix, version, tag))
    record = f"lathe-{version}.dist-info/RECORD"
    lines = [f"{name},sha256={digest(data)},{len(data)}" for name, data, _ in files] + [f"{record},,"]
    files.append((record, ("\n".join(lines) + "\n").encode(), 0o644))
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"lathe-{version}-py3-none-{tag}.whl"
    partial = wheel.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w") as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, stamp)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # permissions as on Unix
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, compresslevel=9)
    partial.replace(wheel)
    print(wheel)


if __name__ == "__main__":
    main()
