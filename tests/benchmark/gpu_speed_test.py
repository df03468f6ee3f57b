#!/usr/bin/env python3
"""What of gpu_speed.py needs no GPU: gpu_speed_test.py. Turns, the table, how results are compared, where it goes on."""
import io
import json
import pathlib
import struct
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent / "gpu")]

import gpu_speed  # noqa: E402
import machine  # noqa: E402
import products  # noqa: E402
import table  # noqa: E402
from rows import all_rows, bound, product  # noqa: E402
from turns import Failed, Side, in_turns  # noqa: E402

# Says what a timed program says; each turn is noted in a file that both sides share.
SPEAKER = r"""
import sys, time
name, log, last = sys.argv[1:4]
print("device: fictitious")
print("ready", flush=True)
for number, line in enumerate(sys.stdin):
    with open(log, "a") as file:
        file.write(name)
    if last == "ends" and number == 1:
        print("out of memory")
        sys.exit(3)
    if last == "waits" and number == 1:
        time.sleep(60)
    for run in range(2):
        print(f"run: {number + 0.5}")
    print("ready", flush=True)
sys.exit(5 if last == "fails" else 0)
"""


def speakers(folder, *ends):
    program = pathlib.Path(folder) / "speaker.py"
    program.write_text(SPEAKER)
    return [Side([sys.executable, program, name, pathlib.Path(folder) / "log", end]) for name, end in zip("ab", ends)]


class TurnsTest(unittest.TestCase):
    def run_turns(self, *ends, seconds=30):
        with tempfile.TemporaryDirectory() as folder:
            try:
                times = in_turns(speakers(folder, *ends), 3, seconds)
            finally:
                self.log = (pathlib.Path(folder) / "log").read_text()
        return times

    def test_take_turns(self):
        times = self.run_turns("", "")
        self.assertEqual(times, [[0.5, 0.5, 1.5, 1.5, 2.5, 2.5]] * 2)
        self.assertEqual(self.log, "ababab")

    def test_one_that_ends_is_named(self):
        with self.assertRaises(Failed) as caught:
            self.run_turns("", "ends")
        self.assertEqual(caught.exception.side, 1)
        self.assertIn("ended with 3", str(caught.exception))
        self.assertIn("out of memory", str(caught.exception))

    def test_exit_code_counts(self):
        with self.assertRaises(Failed) as caught:
            self.run_turns("fails", "")
        self.assertEqual((caught.exception.side, self.log), (0, "ababab"))

    def test_time_ends(self):
        with self.assertRaisesRegex(Failed, "took more than 1 seconds"):
            self.run_turns("waits", "", seconds=1)


def recorded(name, **more):
    row = {"name": name, "ours_us": None, "rival": "cuBLAS", "rival_us": None, "operations": 0, "moved": 0, "aim": 0, "least": 0,
           "graph": False, "clock_mhz": "", "note": "", "failed": False}
    return {**row, **more}


RECORDED = [
    recorded("product", ours_us=200.0, rival_us=190.0, operations=2.0 * 4096 ** 3, aim=0.9, least=0.5, clock_mhz="1700"),
    recorded("slow product", ours_us=500.0, rival_us=200.0, operations=2.0 * 4096 ** 3, aim=0.9, least=0.5),
    recorded("rows", ours_us=100.0, rival="copy", rival_us=80.0, moved=250_000_000, aim=0.85),
    recorded("alone", ours_us=10.0, moved=1_000_000, aim=0.9, note="cuBLAS is not installed"),
    recorded("broken", aim=0.9, note="FAILED: first line\nsecond line", failed=True),
]
SHOWN = """\
fictitious
                                                  ours                beside              ratio   aim
product                                       200.0 us  687.2 TOP/s   cuBLAS    190.0 us   0.95   0.9 met; at 1700 MHz
slow product                                  500.0 us  274.9 TOP/s   cuBLAS    200.0 us   0.40   0.9 MISSED, and below 0.5
rows                                          100.0 us    2500 GB/s     copy     80.0 us   0.80  0.85 MISSED
alone                                          10.0 us     100 GB/s                               0.9 cuBLAS is not installed
broken                                                                                            0.9 FAILED: first line
    second line
"""


class TableTest(unittest.TestCase):
    def test_shows_what_was_recorded(self):
        out = io.StringIO()
        table.print_head(["fictitious"], out)
        for row in RECORDED:
            table.print_row(row, out)
        self.assertEqual(out.getvalue(), SHOWN)

    def test_json_has_ratios(self):
        rows = json.loads(table.as_json([], {}, RECORDED))["rows"]
        self.assertEqual([row["ratio"] for row in rows], [0.95, 0.4, 0.8, None, None])
        self.assertEqual([row["verdict"] for row in rows], ["met", "MISSED, and below 0.5", "MISSED", "", ""])

    def test_goes_on_where_it_was(self):
        rows = [types.SimpleNamespace(name=row["name"]) for row in RECORDED]
        gpu = {"name": "fictitious", "driver_version": "1"}
        measured = []
        clock = mock.Mock(side_effect=lambda: 100.0 * len(measured))

        def measure(_, row, __):
            measured.append(row.name)
            return next(one for one in RECORDED if one["name"] == row.name)

        with tempfile.TemporaryDirectory() as folder, mock.patch.object(gpu_speed, "measure", measure), \
                mock.patch.object(gpu_speed.time, "monotonic", clock), mock.patch.object(sys, "stdout", io.StringIO()) as out:
            path = pathlib.Path(folder)
            options = types.SimpleNamespace(json=path / "table.json", resume=True, budget=150)
            codes = [gpu_speed.make_table(options, rows, gpu, [], path)]
            self.assertEqual(measured, ["product", "slow product"])
            measured.clear()
            options.budget = None
            codes.append(gpu_speed.make_table(options, rows, gpu, [], path))
            self.assertEqual(measured, ["rows", "alone", "broken"])
            measured.clear()
            codes.append(gpu_speed.make_table(options, rows, gpu, [], path))
            self.assertEqual(measured, ["broken"])  # what failed is tried again
            measured.clear()
            gpu_speed.make_table(options, rows, {**gpu, "name": "another"}, [], path)
            self.assertEqual(len(measured), 5)
            self.assertEqual(codes, [gpu_speed.ROWS_LEFT, 1, 1])
            self.assertIn("2 rows measured, 0 failed, 0 not measured, 3 left", out.getvalue())


class ResultsTest(unittest.TestCase):
    def compare(self, row, form, ours, theirs):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, values in (("ours", ours), ("theirs", theirs)):
                paths.append(pathlib.Path(folder) / name)
                paths[-1].write_bytes(b"".join(value if isinstance(value, bytes) else struct.pack(form, value) for value in values))
            return gpu_speed.difference(row, *paths)

    def test_floats_by_the_largest(self):
        row = product("float16", 64)
        self.assertEqual(self.compare(row, "<e", [8.0, 0.01], [8.0, 0.02]), "")
        self.assertIn("element 1 is 0.5 and 0.02", self.compare(row, "<e", [8.0, 0.5], [8.0, 0.02]))
        self.assertIn("differ", self.compare(row, "<e", [float("nan"), 1.0], [2.0, 1.0]))
        self.assertIn("size", self.compare(row, "<e", [1.0], [1.0, 1.0]))

    def test_bfloat16_is_the_upper_half(self):
        top = lambda value: struct.pack("<f", value)[2:]
        row = product("bfloat16", 64)
        self.assertEqual(self.compare(row, "", [top(3.0), top(-2.0)], [top(3.0), top(-2.0)]), "")
        self.assertIn("is 3 and -2", self.compare(row, "", [top(3.0)], [top(-2.0)]))

    def test_integers_exactly(self):
        self.assertEqual(self.compare(product("int8", 64), "<i", [1 << 20, -7], [1 << 20, -7]), "")
        self.assertIn("differ", self.compare(product("int8", 64), "<i", [1 << 20, -7], [1 << 20, -6]))


class ProductsTest(unittest.TestCase):
    FILES = {
        "net_products.cu": ("/* lv = relax.nn.conv2d */\n  lathe_sum_mma_tile<Tile>(shared);\nint net_launch_conv2d(const float *x) {\n"
                            "/* relax.matmul */\n  lathe_sum_tile<Tile>(shared);\nint net_launch_matmul(const float *x) {\n"),
        "net_reductions.cu": "/* lv = relax.nn.conv1d\n * lv = relax.add */\nint net_launch_conv1d_add(float *x) {\n",
        "net_elementwise.cu": "/* relax.add */\nint net_launch_add(float *x) {\n",
        "net.cpp": "".join(f"  status = net_launch_{name}(x, stream);\n" for name in ("conv2d", "add", "matmul", "conv2d", "conv1d_add")),
    }

    def test_counts_what_a_run_enqueues(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.FILES.items():
                (pathlib.Path(folder) / name).write_text(text)
            found = products.products_of(pathlib.Path(folder))
        self.assertEqual(found, {"on tensor cores": 2, "by threads": 1, "in loops": 1})
        self.assertEqual(products.in_words(found), "1 by threads, 1 in loops, 2 on tensor cores")


class MachineTest(unittest.TestCase):
    def test_targets(self):
        for capability, target in (("9.0", "cuda:sm_90a"), ("8.0", "cuda:sm_80"), ("8.7", "cuda:sm_86+ptx"), ("10.3", "cuda:sm_100+ptx"),
                                   ("12.1", "cuda:sm_120+ptx"), ("", "cuda:sm_80+ptx")):
            self.assertEqual(machine.target_of(capability), target)

    def test_nobody_answers_where_there_is_no_driver(self):
        with mock.patch.object(machine.shutil, "which", return_value=None):
            self.assertEqual(machine.gpu()["name"], "")


class RowsTest(unittest.TestCase):
    def test_bytes_and_turns(self):
        row = bound("add", [("x", (8, 16), "float16"), ("b", (16,), "float16")], [], ((8, 16), "float32"), "")
        self.assertEqual(row.moved, 8 * 16 * 2 + 16 * 2 + 8 * 16 * 4)
        self.assertIn(f"R.Tensor(({row.moved // 8},)", row.rival_text)
        self.assertEqual(gpu_speed.runs_for(100), (50, 200))
        self.assertEqual(gpu_speed.runs_for(1e6), (2, 3))

    def test_names_are_of_one_row(self):
        for small in (False, True):
            names = [row.name for row in all_rows(small)]
            self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
