#!/usr/bin/env python3
"""What nvcc says of bundles for GPUs, and what they link: check_nvcc.py --lathe LATHE [SAMPLE...]

Compiles each sample for Ampere, Hopper and Blackwell with all warnings as errors, links its self-test and its examples, and
checks that these need no library besides the C and C++ libraries: none, since the CUDA runtime is linked in. The first sample, where it is one of samples/, is
built by its own CMakeLists.txt too, with all options, in a project that has CUDA for another GPU: for what -t said, and then for what its option says. No kernel of a product or an attention may keep registers in memory;
elsewhere nvcc may, around calls of its own functions such as a division, and it is said. --registers prints how many each has. Samples for
Hopper's instructions are asked for them: in PTX, and where cuobjdump is installed in what a GPU executes.
A sample is the name of one of samples/ or of tests/cuda/models, or a .txt of tests/cuda, of which the first program is
taken, or the one named after a colon. No GPU is needed. Ends with 77 where nvcc is not installed.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ["hello_add", "mlp", "cnn", "symbolic_batch", "control_flow", "custom_extern"]
MODELS = ["rows", "columns", "images", "searches", "long_rows", "scans", "sorts", "wide", "transposes", "matrix_vectors", "split_depth",  # of tests/cuda/models
          "run_products", "attention", "attention_heads", "tensor_core_tiles", "tensor_core_registers", "told_by_threads", "callees", "packed_elements",
          "devices", "two_gpus", "device_entry", "own_barriers", "ordered_memory",
          "plain_instructions", "bulk_copies"]
SINCE = {"bulk_copies": 90}  # the first GPU that has what a model asks for
CALLED = ["called_functions.txt"]  # with external functions that kernels call
PRODUCTS = ["products.txt", "products.txt:tensor_cores.py", "products.txt:convolutions.py", "products.txt:widened.py", "attention.txt:joined.py", "attention.txt:large.py",
            "attention.txt:others.py"]
TF32 = ["tf32_products.txt"]  # compiled with +tf32
HOPPER = ["hopper.txt", "hopper_products", "hopper_pixels"]  # whose products are by wgmma on sm_90a
SYSTEM = re.compile(r"linux-vdso|ld-linux|lib(?:c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so")

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--lathe", required=True)
parser.add_argument("--keep", type=pathlib.Path)
parser.add_argument("--registers", action="store_true")
parser.add_argument("--gpus", default="80,90a,120", help="what to compile for")
parser.add_argument("samples", nargs="*")
options = parser.parse_args()
GPUS = options.gpus.split(",")

nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
if nvcc is None:
    print("nvcc is not installed: nothing was compiled for GPUs")
    sys.exit(77)
cuobjdump = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
bad = []
spilled = []  # spilled registers that are not counted as a failure


def run(words, what):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode != 0:
        bad.append(f"{what}: ended with {done.returncode}\n{said}")
        return None
    return said


def look_at(program, what):
    needed = run(["ldd", program], f"{what}: ldd") or ""
    bad.extend(f"{what}: links {line.strip()}" for line in needed.splitlines() if not SYSTEM.search(line))


def program_of(sample, folder):
    file, _, name = sample.partition(":")
    if not file.endswith(".txt"):
        model = root / "tests" / "cuda" / "models" / f"{sample}.py"
        return model if model.exists() else root / "samples" / sample / f"{sample}.py"
    sections = re.split(r"^-- (.*) --\n", (root / "tests/cuda" / file).read_text(), flags=re.M)
    texts = dict(zip(sections[1::2], sections[2::2]))
    program = folder / (name or sections[1])
    program.write_text(texts[program.name])
    outside = program.with_suffix(".cu")
    if outside.name in texts:
        outside.write_text(texts[outside.name])
    return program


def multiplying_kernels(source):
    """The kernels of a file that are products or attention, by what their bodies call."""
    bodies = re.findall(r"^__global__ void \w+\([^)]*\) (\w+)\([^{]*\{\n(.*?)^\}", source.read_text(), flags=re.M | re.S)
    return [name for name, body in bodies if re.search(r"lathe_(?:sum_|attend|multiply_)", body)]


def look_at_registers(said, what, multiplying):
    """Of what ptxas says: a line with the kernel's name and its GPU, then spills, then registers."""
    kernel = ""
    for line in said.splitlines():
        entry = re.search(r"Compiling entry function '(\w+)' for '(\w+)'", line)
        kernel = f"{entry[1]} on {entry[2]}" if entry else kernel
        if re.search(r"[1-9]\d* bytes spill", line):
            multiplies = any(kernel.startswith(f"_Z{len(name)}{name}") for name in multiplying)
            (bad if multiplies else spilled).append(f"{what}: {kernel}: {line.strip()}")
        used = re.search(r"Used (\d+) registers", line)
        if used and options.registers:
            print(f"{used[1]:>4} {what}: {kernel}")


def look_for_hopper(source, bundle, folder, what):
    """The kernels of sm_90a multiply by wgmma and copy by the tensor memory accelerator, and ptxas lets both go on by themselves."""
    for kind, program, words in (("ptx", None, ("wgmma.mma_async", "cp.async.bulk.tensor", "setmaxnreg", "mbarrier.try_wait")),
                                 ("cubin", cuobjdump, ("HGMMA", "UTMALDG", "USETMAXREG", "SYNCS"))):
        if kind == "cubin" and program is None:
            continue
        out = folder / f"{what.split(':')[0]}.{kind}"
        said = run([nvcc, "-std=c++17", "-O2", "-I", bundle, "-gencode", f"arch=compute_90a,code={'compute' if kind == 'ptx' else 'sm'}_90a",
                    f"-{kind}", source, "-o", out], f"{what}: {kind}")
        if said is None:
            continue
        text = out.read_text() if kind == "ptx" else run([program, "-sass", out], f"{what}: cuobjdump") or ""
        # Products of bytes are IGMMA.
        text = text.replace("IGMMA", "HGMMA")
        bad.extend(f"{what}: its {kind} for sm_90a has no {word}" for word in words if word not in text)


def check(sample, folder):
    for_hopper = sample in HOPPER
    more = "+tf32" if sample in TF32 else ""
    program = program_of(sample, folder)
    links = program.with_suffix(".cu").exists()  # functions that kernels call
    own = [program.with_suffix(".cu")] if links else sorted(program.parent.glob("*.cu")) if program.is_relative_to(root) else []
    # The values of the first are not awaited, and the functions of the second are not called here.
    golden = [] if sample == "hopper.txt" or own else ["--golden"]
    sample = program.stem
    bundle = folder / sample
    gpus = [gpu for gpu in GPUS if int(gpu.rstrip("a")) >= SINCE.get(sample, 0)]
    made = run([options.lathe, "compile", program, "-n", sample, "-o", bundle, *golden,
         "-t", "cuda:" + ",".join(f"sm_{gpu}" for gpu in gpus) + more], f"{sample}: lathe")
    if made is None:
        return
    flags = ["-std=c++17", "-O2", "-I", bundle, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"]
    for gpu in gpus:
        flags += ["-gencode", f"arch=compute_{gpu},code=sm_{gpu}"]
    flags += ["-rdc=true"] if links else []
    objects = []
    for source in sorted(bundle.glob("*.c*")) + sorted(bundle.glob("lathe/*.c")) + own:
        if source.name == f"{sample}_selftest.cpp" or source.suffix not in (".c", ".cpp", ".cu"):
            continue
        objects.append(folder / f"{sample}_{source.name}.o")
        c_flags = [flag for flag in flags if flag != "-std=c++17"] if source.suffix == ".c" else flags
        said = run([nvcc, *c_flags, "-Xptxas", "-v", "-c", source, "-o", objects[-1]], f"{sample}: {source.name}")
        look_at_registers(said or "", f"{sample}: {source.name}", multiplying_kernels(source))
        if re.search(r"Potential Performance Loss|setmaxnreg.*ignored|C75\d\d", said or ""):
            bad.append(f"{sample}: {source.name}: ptxas does not let wgmma or setmaxnreg do what they are for\n{said}")
        if for_hopper and "90a" in GPUS and source.name == f"{sample}_products.cu":
            look_for_hopper(source, bundle, folder, f"{sample}: {source.name}")
    mains = [(bundle / f"{sample}_selftest.cpp", [f"-D{sample.upper()}_SELFTEST_MAIN"])] if golden else []
    mains += [(example, []) for example in sorted((bundle / "examples").iterdir())]
    for source, defines in mains:
        program = folder / f"{sample}_{source.stem}"
        run([nvcc, *flags, *defines, source, *objects, "-o", program], f"{sample}: {source.name}")
        if program.exists():
            look_at(program, f"{sample}: {source.name}")


def check_project(sample, folder):
    bundle, build, upper = folder / f"{sample}_project", folder / f"{sample}_build", sample.upper()
    run([options.lathe, "compile", root / "samples" / sample / f"{sample}.py", "-n", sample, "-o", bundle, "--golden",
         "-t", "cuda:sm_80,sm_90a+ptx"], f"{sample}: lathe")
    around = folder / f"{sample}_around"
    around.mkdir()
    (around / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.24)\nproject(around LANGUAGES CXX CUDA)\nenable_testing()\nadd_subdirectory({bundle} bundle)\n")
    configure = ["cmake", "-S", around, "-B", build, "-G", "Unix Makefiles", f"-DCMAKE_CUDA_COMPILER={nvcc}", "-DCMAKE_CUDA_ARCHITECTURES=75",
                 *(f"-D{upper}_{option}=ON" for option in ("EXAMPLES", "SELFTEST", "NVTX"))]
    run(configure, f"{sample}: cmake")
    said = run(["cmake", "--build", build, "--verbose", "-j2"], f"{sample}: its CMakeLists.txt") or ""
    for code in ("sm_80", "sm_90a", "compute_80"):
        if not re.search(rf"code=\[?{code}\b", said):
            bad.append(f"{sample}: its CMakeLists.txt compiles nothing for {code}")
    if re.search(r"code=\[?(?:sm|compute)_75", said):
        bad.append(f"{sample}: its CMakeLists.txt compiles for a GPU of the project around")
    tests = run(["ctest", "--test-dir", build, "-N"], f"{sample}: ctest") or ""
    if f"{sample}_selftest" not in tests:
        bad.append(f"{sample}: the self-test is no test")
    for program in ("selftest", "run", "graph"):
        if (build / "bundle" / f"{sample}_{program}").exists():
            look_at(build / "bundle" / f"{sample}_{program}", f"{sample}: {program} of its CMakeLists.txt")
        else:
            bad.append(f"{sample}: its CMakeLists.txt makes no {sample}_{program}")
    run([*configure, f"-D{upper}_CUDA_ARCHITECTURES=89-real"], f"{sample}: cmake")
    flags = (build / "bundle" / "CMakeFiles" / f"{sample}.dir" / "flags.make").read_text()
    if "sm_89" not in flags or "sm_80" in flags:
        bad.append(f"{sample}: {upper}_CUDA_ARCHITECTURES does not say what is compiled for")


def check_forms(folder):
    """Each instruction for small matrices, for every GPU of Lathe's that has it."""
    parts = folder / "forms" / "lathe"
    parts.mkdir(parents=True, exist_ok=True)
    for header in (root / "runtime-c").glob("*.h"):
        shutil.copy(header, parts)
    for gpu in ("80", "86", "89", "90a", "100", "120"):
        run([nvcc, "-std=c++17", "-I", folder / "forms", "-I", root / "include", "-Werror", "all-warnings", f"-arch=sm_{gpu}", "-cubin",
             root / "tests/cuda/cases/matrix_forms.cu", "-o", folder / "forms" / f"{gpu}.cubin"], f"matrix_forms.cu: sm_{gpu}")


with tempfile.TemporaryDirectory() as scratch:
    place = options.keep or pathlib.Path(scratch)
    place.mkdir(parents=True, exist_ok=True)
    samples = options.samples or SAMPLES + MODELS + CALLED + PRODUCTS + TF32 + HOPPER
    if (root / "samples" / samples[0]).is_dir():
        check_project(samples[0], place)
    if "bulk_copies" in samples:
        check_forms(place)
    for sample in samples:
        check(sample, place)
if cuobjdump is None and set(samples) & set(HOPPER):
    print("cuobjdump is not installed: only PTX was asked for Hopper's instructions")
for line in spilled + bad:
    print(line)
if bad:
    sys.exit(1)
print(f"nvcc: {len(samples)} samples for sm_{', sm_'.join(GPUS)}, clean")
