#!/usr/bin/env python3
"""Tests tools/gpu-test with scripted programs in place of the GPU's: what is run, counted and repeated."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMMAND = pathlib.Path(__file__).resolve().parents[2] / "tools" / "gpu-test"
PROGRAMS = {
    "nvidia-smi": 'case "$*" in *gpu=name*) echo "Fictitious 1";; *compute_cap*) echo 9.0;; *driver*) echo 1.0;; *) exit 1;; esac',
    "nvcc": "exit 1",
    # Keeps the files that it is asked to keep; one model fails while the file exists.
    "lathe": 'echo "$*" >> "$LOG"; case "$*" in *"$WRONG"*) echo differs; exit 6;; esac\n'
             'while [ $# -gt 1 ]; do if [ "$1" = --keep ]; then mkdir -p "$2"; fi; shift; done',
    "lathe_compiled": 'echo "compiled $*" >> "$LOG"',
    "compute-sanitizer": 'echo "sanitizer $*" >> "$LOG"; case "$*" in *"$RACE"*) echo a race; exit 9;; esac',
}


class GpuCommandTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "bin").mkdir()
        for name, text in PROGRAMS.items():
            (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.folder / "bin" / name).chmod(0o755)

    def tearDown(self):
        self.scratch.cleanup()

    def run_command(self, *words, wrong="nothing", race="nothing"):
        log = self.folder / "log"
        log.write_text("")
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "LOG": str(log), "WRONG": wrong, "RACE": race}
        done = subprocess.run([sys.executable, COMMAND, "--build", self.folder, *words], capture_output=True, text=True, check=False, env=environment)
        self.ran = log.read_text().splitlines()
        return done.returncode, done.stdout + done.stderr

    def test_all_that_is_right(self):
        code, said = self.run_command("--only", "validate", "--programs", "100")
        self.assertEqual(code, 0, said)
        self.assertIn("Fictitious 1, driver 1.0, cuda:sm_90a", said)
        self.assertIn(f"gpu-test: {len(self.ran)} passed, 0 failed\n", said)
        self.assertTrue(any("hopper_products.py --on cuda -t cuda:sm_90a" in line for line in self.ran))
        self.assertTrue(any("hopper_products.py --on cuda -t cuda:sm_80+ptx" in line for line in self.ran))
        compiled = [line for line in self.ran if line.startswith("compiled")]
        self.assertEqual(len(compiled), 4)
        self.assertTrue(any("--seed 60 --count 40 --batch 40" in line and "--operators" in line for line in compiled))

    def test_sanitizers_run_what_was_validated_once(self):
        code, said = self.run_command("--only", "sanitize", "--part", "1/12", "--jobs", "2", race="racecheck")
        tools = [line.split()[2] for line in self.ran if line.startswith("sanitizer")]
        self.assertEqual(code, 1, said)
        self.assertIn("a race", said)
        self.assertIn(f"{len(tools) - tools.count('racecheck')} passed, {tools.count('racecheck')} failed\n", said)
        validated = [line for line in self.ran if line.startswith("validate")]
        self.assertEqual(len(validated), len(set(validated)))

    def test_goes_on_behind_what_passed(self):
        kept = self.folder / "kept.json"
        words = ("--only", "validate", "--part", "1/6", "--resume", kept)
        code, said = self.run_command(*words, wrong="hello_add.py")
        self.assertEqual(code, 1, said)
        self.assertIn(", 1 failed", said)
        self.assertEqual(len(json.loads(kept.read_text())["failed"]), 1)
        code, said = self.run_command(*words)
        self.assertEqual((code, len(self.ran)), (0, 1), said)  # what failed, and nothing else
        code, said = self.run_command(*words)
        self.assertEqual((code, len(self.ran)), (0, 0), said)

    def test_what_is_left_is_said(self):
        code, said = self.run_command("--only", "validate", "--part", "1/6", "--budget", "0.000001")
        self.assertEqual(code, 2, said)
        self.assertEqual(self.ran, [])
        self.assertRegex(said, r"0 passed, 0 failed, \d+ left")

    def test_nothing_without_a_gpu(self):
        (self.folder / "bin" / "nvidia-smi").write_text("#!/bin/sh\nexit 9\n")
        code, said = self.run_command()
        self.assertEqual(code, 77)
        self.assertIn("nothing was tested", said)


if __name__ == "__main__":
    unittest.main()
