#!/usr/bin/env python3
"""How fast kernels are on this machine's GPU: gpu_speed.py LATHE [--only TEXT] [--part I/N] [--json FILE]

Each row is a program of ours and another that does the same, on one GPU, alternately: a product against cuBLAS's, what memory bounds
beside a copy in the GPU's memory that moves as many bytes, attention and networks beside PyTorch's (--python has it, and numpy and onnx). What
runs for ours, for cuBLAS and for the copy is what `lathe bench --on cuda` makes, on the same random inputs, in memory that is
another one each time where caches could have it; a run is timed between two events while the next ones are enqueued; shown are
medians, and the other's time by ours. What is not installed is named, and its column is empty. Results are held against the other's, where
it computes the same.
--budget starts no row after so many seconds, and --resume takes those that the file of --json has from there, so that a table can be made
by several runs.
--dry-run compiles all programs to CUDA, looks for the kernels that each is for, counts which products of networks tensor cores make (where
--python has numpy and onnx), and runs nothing. --on cuda-emulation tries the table with
small sizes where there is no GPU: its times say nothing. Ends with 1 when a row fails or results differ, 2 when rows are
left, 77 without a GPU.
"""
import argparse
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "gpu"))

import machine  # noqa: E402
import products  # noqa: E402
import table  # noqa: E402
from rows import BYTES, all_rows  # noqa: E402
from turns import Failed, Side, in_turns  # noqa: E402

NOTHING_TO_TEST, ROWS_LEFT = 77, 2
FORGOTTEN = 256 << 20  # bytes that no GPU's cache holds twice
TURN_US = 20000  # how long a turn is to be


def words_of(options, *more):
    return [options.lathe, "bench", *more, "--on", options.place, "-t", options.target]


def build(options, source, folder, seconds, row, extern=None, cflags=()):
    """What lathe bench says of a few runs; their program is left in the folder."""
    words = words_of(options, source, "--json", "--runs", "3", "--warmup", "1", "--keep", folder, "--time-limit", str(int(seconds)))
    words += [part for name, size in row.sizes.items() for part in ("-D", f"{name}={size}")]
    words += ["--cuda-graph"] if row.graph else []
    words += ["--data", row.torch["data"]] if "data" in row.torch and extern is None else []
    words += ["--extern", extern] if extern else []
    words += ["--cflags", " ".join(["-O2", *cflags])] if cflags else []
    try:
        made = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(str(word) for word in words[1:3])} took more than {seconds:.0f} seconds") from None
    if made.returncode != 0:
        raise Failed(f"lathe bench ended with {made.returncode}: {made.stderr.strip()[:2000]}")
    return json.loads(made.stdout)


def runs_for(median_us):
    """Warm-up and runs of a turn."""
    runs = max(3, min(200, round(TURN_US / max(median_us, 0.1))))
    return max(2, runs // 4), runs


def side_of(options, folder, median_us, row):
    before, runs = (1, 2) if options.emulated else runs_for(median_us)
    sets = 1 if row.graph or not row.turned else max(1, min(16, -(-FORGOTTEN // row.turned)))
    sets = min(sets, 2) if options.emulated else sets
    return Side([folder / "run", "inputs", "outputs", "0", before, runs, int(row.graph), sets, 1], folder, options.environment)


def element(dtype, data, at):
    if dtype == "bfloat16":
        return struct.unpack("<f", b"\0\0" + data[2 * at:2 * at + 2])[0]
    form = {"float16": "<e", "float32": "<f", "int32": "<i"}[dtype]
    return struct.unpack_from(form, data, at * BYTES[dtype])[0]


# The tolerance of results, relative to the largest of them: sums in another order, rounded once.
APART = {"bfloat16": 1e-2, "float16": 4e-3, "float32": 1e-4, "int32": 0}
APART_IN_NETWORKS = 5e-2  # rounded by each operator


def difference(row, ours, theirs):
    """Where two results do not agree, of elements from all over them; empty where they do."""
    with open(ours, "rb") as one, open(theirs, "rb") as other:
        first, second = one.read(), other.read()
    count = len(second) // BYTES[row.result]
    if len(first) < len(second) or count == 0:
        return "results differ in size"
    places = sorted({number * 7919 * 104729 % count for number in range(min(count, 5000))})
    values = [(element(row.result, first, at), element(row.result, second, at)) for at in places]
    allowed = (APART_IN_NETWORKS if row.sizes else APART[row.result]) * max(abs(b) for _, b in values)
    for at, (a, b) in zip(places, values):
        if not abs(a - b) <= allowed:  # a NaN is never within
            return f"results differ: element {at} is {a:.6g} and {b:.6g}"
    return ""


def torch_side(options, row, folder, inputs):
    sets = 1 if not row.turned else max(1, min(16, -(-FORGOTTEN // row.turned)))
    what = {**row.torch, "sizes": row.sizes, "sets": sets, "before": 3, "runs": 20}
    if options.emulated:
        what |= {"device": "cpu", "before": 1, "runs": 2, "sets": 1, "compiled": False}
    return Side([options.python, HERE / "gpu" / "torch_rival.py", json.dumps(what), inputs, folder / "torch"], folder, options.environment)


def rival_of(options, row, folder, seconds):
    """Returns a function that starts it, and the file of its results, or the reason why there is none."""
    if row.rival == "torch":
        if options.no_torch:
            return None, None, options.no_torch
        return lambda: torch_side(options, row, folder, folder / "ours" / "inputs"), folder / "torch", ""
    source = folder / "rival.py"
    source.write_text(row.rival_text)
    cflags = machine.libraries() if row.rival == "cublas" else ()
    if options.emulated and row.rival == "cublas":
        cflags = ["-O1", f"-I{HERE / 'gpu' / 'stand_in'}", f"-I{HERE.parents[1] / 'runtime-c'}"]
    try:
        said = build(options, source, folder / "rival", seconds, row, HERE / "gpu" / f"{row.rival}_rival.cu", cflags)
    except Failed as why:
        for missing in ("cublas_v2.h: No such file", "cannot find -lcublas"):
            if missing in str(why):
                return None, None, f"cuBLAS is not installed ({missing})"
        raise
    return lambda: side_of(options, folder / "rival", said["median_us"], row), folder / "rival" / "outputs", ""


def network_of(options, row, folder):
    """Its file; kept for the rows that share it."""
    place, data = folder.parent / "networks", folder / "inputs.npz"
    made = subprocess.run([options.python, HERE / "gpu" / "make_network.py", row.text, place, data, json.dumps(row.sizes)],
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Failed(made.stderr.strip())
    if data.exists():
        row.torch["data"] = str(data)
    row.torch["network"] = str(place / row.text / "model.onnx")
    return place / row.text / "model.onnx"


def measure(options, row, folder):
    """The row of the table."""
    found = {"name": row.name, "ours_us": None, "rival": {"cublas": "cuBLAS", "copy": "copy", "torch": "PyTorch"}[row.rival],
             "rival_us": None, "operations": row.operations, "moved": row.moved, "aim": 0 if options.emulated else row.aim,
             "least": row.least, "graph": row.graph, "clock_mhz": "", "note": "", "failed": False}
    until = time.monotonic() + options.seconds
    left = lambda: max(1, until - time.monotonic())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "ours.py"
        if row.sizes:
            if options.no_onnx:
                found["note"] = options.no_onnx
                return found
            source = network_of(options, row, folder)
        else:
            source.write_text(row.text)
        ours = build(options, source, folder / "ours", left(), row)
        start_rival, theirs = None, None
        try:
            start_rival, theirs, found["note"] = rival_of(options, row, folder, left())
        except Failed as why:
            found.update(note=f"{found['rival']} FAILED: {why}", failed=True)
        clock = []

        def turns(starts):
            return in_turns([start() for start in starts], options.rounds, left(), lambda: clock.append(machine.ask("clocks.sm", options.device)))

        start_ours = lambda: side_of(options, folder / "ours", ours["median_us"], row)
        try:
            times = turns([start_ours] + ([start_rival] if start_rival else []))
        except Failed as why:
            if why.side != 1:
                raise
            found.update(note=f"{found['rival']} FAILED: {why}", failed=True)
            times = turns([start_ours])
        found["ours_us"] = statistics.median(times[0]) * 1e3
        found["clock_mhz"] = clock[-1] if clock else ""
        if len(times) > 1:
            found["rival_us"] = statistics.median(times[1]) * 1e3
            found["note"] = difference(row, folder / "ours" / "outputs", theirs) if row.result else ""
            found["failed"] = bool(found["note"])
    except (Failed, OSError) as why:
        found.update(note=f"FAILED: {why}", failed=True)
    return found


def compiled(options, source, bundle, sizes):
    """Makes the bundle; what lathe says where it does not."""
    words = [options.lathe, "compile", "-q", source, "-t", options.target, "-n", "net", "-o", bundle]
    words += [part for name, size in sizes.items() for part in ("-D", f"{name}={size}")]
    made = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return made.stderr if made.returncode != 0 else ""


def multiplied(options, row, place, seen):
    """What is wrong with the network's products, and how they are made; once for rows that share them."""
    key = (row.text, *row.sizes.items())
    if key not in seen:
        wrong = compiled(options, network_of(options, row, place), place / "ours", row.sizes)
        found = {} if wrong else products.products_of(place / "ours")
        if not wrong and found != row.products:
            wrong = f"{products.in_words(found)}; wanted are {products.in_words(row.products)}"
        seen[key] = wrong, products.in_words(found)
    return seen[key]


def dry_run(options, rows, folder):
    """All of it but the runs: whether each program becomes the kernels that its row is about."""
    bad, seen = 0, {}
    for number, row in enumerate(rows):
        place = folder / str(number)
        place.mkdir(parents=True, exist_ok=True)
        if row.sizes:
            wrong, words = ("", options.no_onnx) if options.no_onnx else multiplied(options, row, place, seen)
            bad += bool(wrong)
            print(f"{row.name:42} {wrong or words}", flush=True)
            continue
        said = []
        for what, text, wanted in (("ours", row.text, row.kernels), ("rival", row.rival_text, f"bench_{row.rival}")):
            if not text:
                continue
            source = place / f"{what}.py"
            source.write_text(text)
            wrong = compiled(options, source, place / what, {})
            files = sorted((place / what).glob("net*"))
            if wrong:
                said.append(wrong)
            elif not any(wanted in file.name or wanted in file.read_text() for file in files):
                said.append(f"{what} has no {wanted} in {', '.join(file.name for file in files)}")
        bad += bool(said)
        print(f"{row.name:42} {'; '.join(said) or 'ok'}", flush=True)
    print(f"gpu_speed: {len(rows)} rows, {bad} wrong")
    return bad


def about_lines(options, gpu, version):
    if options.emulated:
        return [f"the emulation, for {options.target}: its times say nothing of a GPU", f"PyTorch {version}, on the processor" if version else options.no_torch]
    unit = lambda text, name: f"{text} {name}" if text else "not said"
    return [f"{gpu['name'] or 'no GPU'}, driver {gpu['driver_version'] or 'none'}, for {options.target}; medians of runs in turns on random data",
            f"SM clock {unit(gpu['clocks.sm'], 'MHz')} of at most {unit(gpu['clocks.max.sm'], 'MHz')}, memory {unit(gpu['clocks.mem'], 'MHz')}, "
            f"{unit(gpu['power.draw'], 'W')} of {unit(gpu['power.limit'], 'W')}, {unit(gpu['temperature.gpu'], 'C')}, "
            f"reasons for lower clocks {gpu['clocks_event_reasons.active'] or 'not said'}",
            f"PyTorch {version}" if version else options.no_torch]


def chosen(options):
    rows = [row for row in all_rows(options.emulated) if options.only in row.name]
    part, of = options.part
    return rows[part - 1::of]


def part_of(text):
    """I/N as two numbers."""
    part, of = (int(word) for word in text.split("/"))
    if not 1 <= part <= of:
        raise ValueError(text)
    return part, of


def measured_before(options, gpu):
    """The rows of the file that did not fail, by name, where they are of this GPU."""
    if not (options.resume and options.json and options.json.exists()):
        return {}
    before = json.loads(options.json.read_text())
    if before["gpu"]["name"] != gpu["name"] or before["gpu"]["driver_version"] != gpu["driver_version"]:
        return {}
    return {row["name"]: row for row in before["rows"] if row["ours_us"] and not row["failed"]}


def make_table(options, rows, gpu, about, folder):
    started, before, measured, left = time.monotonic(), measured_before(options, gpu), [], 0
    table.print_head(about, sys.stdout)
    for number, row in enumerate(rows):
        if row.name in before:
            measured.append(before[row.name])
        elif options.budget is not None and time.monotonic() - started > options.budget:
            left += 1
            continue
        else:
            measured.append(measure(options, row, folder / f"row_{number}"))
        table.print_row(measured[-1], sys.stdout)
        if options.json:
            # Rows of before that come later are not lost where this ends early.
            kept = [one for name, one in before.items() if name not in {row["name"] for row in measured}]
            options.json.write_text(table.as_json(about, gpu, measured + kept))
    failed = sum(row["failed"] for row in measured)
    done = sum(bool(row["ours_us"]) and not row["failed"] for row in measured)
    print(f"gpu_speed: {done} rows measured, {failed} failed, {len(measured) - done - failed} not measured, {left} left")
    return 1 if failed else ROWS_LEFT if left else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lathe")
    parser.add_argument("--only", default="", help="rows with this in their name")
    parser.add_argument("--part", type=part_of, default=(1, 1), help="I/N: every Nth row, from the Ith")
    parser.add_argument("--json", type=pathlib.Path, help="write the rows there, too")
    parser.add_argument("--device", type=int, help="as nvidia-smi counts them; else the first that CUDA_VISIBLE_DEVICES leaves")
    parser.add_argument("--target", help="as of lathe compile; else that of the GPU")
    parser.add_argument("--python", default=sys.executable, help="which has PyTorch")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each side")
    parser.add_argument("--seconds", type=float, default=240, help="for a row, with what compiles it")
    parser.add_argument("--budget", type=float, metavar="SECONDS")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, help="leave all programs there")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--on", choices=("cuda", "cuda-emulation"), default="cuda")
    options = parser.parse_args()
    options.lathe = str(pathlib.Path(options.lathe).resolve())
    options.emulated = options.on == "cuda-emulation"
    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")  # CUDA counts as nvidia-smi does
    options.environment = dict(os.environ)
    options.place = options.on
    if options.device is not None and not options.emulated:
        options.place += f":{options.device}"
        options.environment["CUDA_VISIBLE_DEVICES"] = str(options.device)
    gpu = machine.gpu(options.device)
    options.target = options.target or ("cuda:sm_90a" if options.dry_run or options.emulated else machine.target_of(gpu["compute_cap"]))
    rows = chosen(options)
    lacking = [module for module in ("onnx", "numpy") if not machine.has_module(options.python, module)]
    options.no_onnx = f"not {'tried' if options.dry_run else 'measured'}: {' and '.join(lacking)} of PyPI make its model" if lacking else ""
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        if options.dry_run:
            return 1 if dry_run(options, rows, folder) else 0
        if not options.emulated and (not gpu["name"] or machine.nvcc() is None):
            print("gpu_speed: " + ("nvcc is not installed" if gpu["name"] else "nvidia-smi lists no such GPU") + ": nothing was measured")
            return NOTHING_TO_TEST
        version, options.no_torch = machine.torch_of(options.python)
        if options.emulated and "sees no GPU" in options.no_torch:
            version, options.no_torch = options.no_torch.split()[1], ""
        about = about_lines(options, gpu, version)
        return make_table(options, rows, gpu, about, folder)


if __name__ == "__main__":
    sys.exit(main())
