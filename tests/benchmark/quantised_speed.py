#!/usr/bin/env python3
"""Compares the speed of quantised networks with their float versions: quantised_speed.py LATHE FOLDER [-t TARGET] [--cc CC] [--cflags F] [--callgrind]

FOLDER holds NAME/model.onnx and NAME_int8qdq/model.onnx of the same network. Both are compiled and run by
turns, so that whatever else the machine does falls on both; printed are the microseconds of the fastest run of
each, their ratio, and the bytes of the arenas. With --callgrind also the instructions of one run, which
are the same every time; it needs valgrind.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

MAIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "net.h"
static union { uint64_t align[8]; uint8_t bytes[NET_ARENA_SIZE + 64u]; } memory;
static float in_data[NET_IN_INPUT_LEN];
static float out_data[NET_OUT_OUTPUT_LEN];
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}
int main(int argc, char **argv) {
  const size_t past = (size_t)((uintptr_t)memory.bytes %% 64u);
  net m;
  net_inputs in = {in_data};
  net_outputs out = {out_data};
  double best = 1e30;
  uint32_t state = 1u;
  for (size_t i = 0; i < NET_IN_INPUT_LEN; ++i) {
    state = state * 1664525u + 1013904223u;
    in_data[i] = (float)(int32_t)state / 2147483648.0f;
  }
  if (net_init(&m, memory.bytes + (past == 0u ? 0u : 64u - past), NET_ARENA_SIZE) != LATHE_OK) return 1;
  for (int i = 0; i < atoi(argv[argc - 1]); ++i) {
    const double start = now();
    if (net_run(&m, &in, &out) != LATHE_OK) return 2;
    if (now() - start < best) best = now() - start;
  }
  printf("%%.2f\n", best);
  return 0;
}
"""


def build(lathe, model, folder, target, cc, flags):
    subprocess.run([lathe, "compile", model, "-n", "net", "-o", folder, "-t", target],
                   check=True, capture_output=True)
    (folder / "main.c").write_text(MAIN.replace("%%", "%"))
    sources = [str(f) for f in folder.glob("*.c")]
    subprocess.run([cc, "-O2", *flags, "-I", str(folder), *sources, "-lm", "-o", str(folder / "run")], check=True)
    header = (folder / "net.h").read_text()
    return int(re.search(r"_ARENA_SIZE (\d+)u", header).group(1))


def time_of(folder, runs):
    done = subprocess.run([folder / "run", str(runs)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def instructions(folder):
    counts = []
    for runs in ("1", "2"):
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
                               folder / "run", runs], check=True, capture_output=True, text=True)
        counts.append(int(re.search(r"Collected : (\d+)", done.stderr).group(1)))
    return counts[1] - counts[0]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("lathe")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("-t", dest="target", default="generic-c99")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cflags", default="", help="besides those of the target: -march=native")
    parser.add_argument("--callgrind", action="store_true")
    args = parser.parse_args()
    listed = subprocess.run([args.lathe, "targets", "--json"], check=True, capture_output=True, text=True)
    flags = re.search(r'"name": "%s".*?"flags": "([^"]*)"' % re.escape(args.target), listed.stdout, re.S)
    flags = (flags.group(1).split() if flags else []) + args.cflags.split()
    print(f"{'network':24}{'real us':>10}{'int8 us':>10}{'times':>7}{'real B':>10}{'int8 B':>10}"
          + (f"{'real ins':>14}{'int8 ins':>14}{'times':>7}" if args.callgrind else ""))
    for quantised in sorted(args.folder.glob("*_int8qdq")):
        name = quantised.name.removesuffix("_int8qdq")
        if not (args.folder / name).is_dir():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folders = [pathlib.Path(scratch) / "real", pathlib.Path(scratch) / "int8"]
            arenas = [build(args.lathe, args.folder / path / "model.onnx", folder, args.target, args.cc, flags)
                      for path, folder in zip((name, quantised.name), folders)]
            best = [1e30, 1e30]
            for _ in range(5):
                for i, folder in enumerate(folders):
                    best[i] = min(best[i], time_of(folder, 10))
            line = (f"{name:24}{best[0]:10.1f}{best[1]:10.1f}{best[0] / best[1]:7.2f}"
                    f"{arenas[0]:10}{arenas[1]:10}")
            if args.callgrind:
                counts = [instructions(folder) for folder in folders]
                line += f"{counts[0]:14}{counts[1]:14}{counts[0] / counts[1]:7.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
