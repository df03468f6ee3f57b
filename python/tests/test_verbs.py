"""Tests of the module: LATHE_PROGRAM names the program. Libraries that are not installed are skipped, by name."""

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

import lathe

ROOT = pathlib.Path(__file__).resolve().parents[2]
CNN = ROOT / "samples" / "cnn" / "cnn.py"
ADD = """from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        z = R.divide(x, y)
        return z

    @R.function
    def pair(x: R.Tensor((2,), "int32")) -> R.Tuple(R.Tensor((2,), "int32"), R.Prim("int64")):
        with R.dataflow():
            z = R.add(x, x)
            R.output(z)
        return (z, R.prim_value(3))
"""


def installed(name):
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def needs(name):
    return unittest.skipUnless(installed(name), f"{name} is not installed")


class VerbsTest(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))

    def test_check_returns_warnings_and_raises_errors(self):
        self.assertEqual(lathe.check(CNN), [])
        with self.assertRaises(lathe.MalformedModelError) as caught:
            lathe.check(ADD.replace("divide(x, y)", "divide(x)").encode())
        error = caught.exception
        self.assertEqual(error.exit_code, 2)
        self.assertRegex(error.code, r"^[a-z-]+$")
        self.assertEqual(error.location.line, 8)
        self.assertIn(error.message, str(error))
        self.assertTrue(str(error.location).endswith(f":8:{error.location.column}"))

    def test_a_missing_file_and_a_wrong_option_have_their_own_errors(self):
        with self.assertRaises(lathe.EnvironmentFailure):
            lathe.check(self.folder / "none.py")
        with self.assertRaises(lathe.UsageError) as caught:
            lathe.compile(CNN, out=self.folder, target="cortex-m5")
        self.assertIn("cortex-m", caught.exception.message)
        with self.assertRaises(lathe.UsageError) as caught:
            lathe.check(CNN, options=["--bogus"])
        self.assertIn("--bogus", caught.exception.message)

    def test_compile_writes_files_and_reports_memory(self):
        made = lathe.compile(CNN, target="cortex-m4", out=self.folder / "out", name="net", package="cmake")
        self.assertEqual(made.name, "net")
        parts = ("arena_bytes", "input_bytes", "output_bytes", "state_bytes", "instance_bytes")
        self.assertEqual(made.ram_bytes, sum(made.totals[part] for part in parts))
        self.assertGreater(made.arena_bytes, 0)
        self.assertEqual(sorted(f.name for f in made.files), ["CMakeLists.txt", "net.c", "net.h", "net_package.md", "rt.h"])
        for file in made.files:
            self.assertTrue(file.exists(), file)

    def test_a_budget_that_does_not_suffice_is_a_limit_error(self):
        with self.assertRaises(lathe.LimitError) as caught:
            lathe.compile(CNN, out=self.folder / "out", options=["--max-ram", "1K"])
        self.assertEqual(caught.exception.exit_code, 4)
        self.assertFalse((self.folder / "out").exists())

    def test_analyze_has_steps(self):
        report = lathe.analyze(CNN)
        self.assertEqual(report.totals["macs"], 6912)
        self.assertTrue(report.functions[0]["steps"])
        self.assertIsNone(lathe.analyze(ROOT / "samples/mlp/mlp.py").ram_bytes)
        self.assertIsInstance(lathe.analyze(ROOT / "samples/mlp/mlp.py", dims={"batch": (1, 4)}).ram_bytes, int)

    @needs("numpy")
    def test_run_takes_and_returns_arrays(self):
        import numpy

        got = lathe.run(ADD.encode(), {"x": numpy.float32([1, -1]), "y": numpy.float32([0, 2])})
        numpy.testing.assert_array_equal(got.value, numpy.float32([numpy.inf, -0.5]))
        self.assertEqual(got.value.dtype, numpy.float32)
        pair = lathe.run(ADD.encode(), {"x": numpy.int32([1, 2])}, function="pair").value
        numpy.testing.assert_array_equal(pair[0], [2, 4])
        self.assertEqual(pair[1], 3)
        mlp = lathe.run(ROOT / "samples/mlp/mlp.py", seed=1, dims={"batch": 2})
        self.assertEqual(mlp.value.shape, (2, 3))
        steps = lathe.run(ROOT / "tests/state/streaming.py", seed=1, options=["--steps", "3"])
        self.assertEqual(len(steps.value), 3)

    @needs("numpy")
    def test_run_names_the_missing_input(self):
        import numpy

        with self.assertRaises(lathe.UsageError) as caught:
            lathe.run(ADD.encode(), {"x": numpy.float32([1, 2])})
        self.assertIn("'y'", caught.exception.message)

    def test_validate_compares_outputs(self):
        good = lathe.validate(CNN)
        self.assertTrue(good.passed)
        (output,) = good.comparisons[0].outputs
        self.assertEqual((output.name, output.dtype, output.shape, output.unequal), ("scores", "float32", [1, 3], 0))

    @needs("numpy")
    def test_validate_returns_differences(self):
        import numpy

        x = numpy.float32([[2.0, 2.0, -2.0, 0.5]])
        wanted = numpy.float32([0.0])
        self.assertTrue(lathe.validate(ADD.encode(), {"x": x[0, :2], "y": x[0, 2:]}).passed)
        if not installed("onnx"):
            self.skipTest("onnx is not installed")
        import onnx

        data = self.folder / "test_data_set_0"
        data.mkdir()
        model = self.onnx_model()
        (self.folder / "model.onnx").write_bytes(model.SerializeToString())
        (data / "input_0.pb").write_bytes(onnx.numpy_helper.from_array(x).SerializeToString())
        (data / "output_0.pb").write_bytes(onnx.numpy_helper.from_array(wanted.repeat(4).reshape(1, 4)).SerializeToString())
        result = lathe.validate(self.folder / "model.onnx", self.folder)
        self.assertFalse(result.passed)
        (output,) = result.comparisons[0].outputs
        self.assertEqual((output.unequal, output.first_unequal, output.largest_difference), (3, 0, 2.0))

    @staticmethod
    def onnx_model():
        from onnx import TensorProto, helper

        graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g",
                                  [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    @needs("onnx")
    def test_onnx_model(self):
        import numpy

        model = self.onnx_model()
        for given in (model, model.SerializeToString()):
            got = lathe.run(given, {"x": numpy.float32([[1, -1, 2, -2]])})
            numpy.testing.assert_array_equal(got.value, [[1, 0, 2, 0]])

    @needs("onnx")
    def test_an_unsupported_operator_is_an_error_with_a_node(self):
        model = self.onnx_model()
        model.graph.node[0].op_type = "Nonsense"
        model.graph.node[0].name = "odd"
        with self.assertRaises(lathe.LatheError) as caught:
            lathe.check(model)
        self.assertEqual(caught.exception.location.node, "odd")
        self.assertEqual(caught.exception.location.op, "Nonsense")

    @needs("torch")
    @needs("onnx")
    def test_torch_module(self):
        import torch

        torch.manual_seed(0)
        module = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
        example = torch.randn(1, 4)
        report = lathe.analyze(module, example_inputs=(example,))
        self.assertEqual(report.totals["macs"], 12)
        self.assertTrue(module.training)
        self.assertTrue(lathe.validate(module, example_inputs=example).passed)
        with self.assertRaises(lathe.ConversionError):
            lathe.analyze(module)

    @needs("sklearn")
    @needs("skl2onnx")
    def test_sklearn_model(self):
        import numpy
        from sklearn.tree import DecisionTreeClassifier

        x = numpy.float32([[0, 0], [0, 1], [1, 0], [1, 1]])
        tree = DecisionTreeClassifier(random_state=0).fit(x, [0, 1, 1, 0])
        labels, _ = lathe.run(tree, {"X": x[:1]}, example_inputs=x[:1]).value
        self.assertEqual(list(labels), [0])

    @needs("keras")
    def test_keras_model(self):
        import keras

        model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="relu")])
        self.assertTrue(lathe.validate(model).passed)

    @needs("tvm")
    def test_tvm_module(self):
        from tvm.script import from_source, ir, relax

        module = from_source(ADD.partition("\n\n\n")[2], {"I": ir, "R": relax})
        self.assertEqual(lathe.check(module), [])
        self.assertEqual(sorted(f["name"] for f in lathe.analyze(module).functions), ["main", "pair"])

    def test_other_objects_are_no_models(self):
        with self.assertRaises(lathe.ConversionError) as caught:
            lathe.check(3.5)
        self.assertIn("onnx.ModelProto", str(caught.exception))

    def test_bytes_of_each_format_get_their_ending(self):
        from lathe.models import _suffix_of

        self.assertEqual(_suffix_of(b"\x1c\0\0\0TFL3\0"), ".tflite")
        self.assertEqual(_suffix_of(ADD.encode()), ".py")
        self.assertEqual(_suffix_of((ROOT / "samples/forest/forest.relay").read_bytes()), ".relay")
        self.assertEqual(_suffix_of(b"\x08\x08\x12\x04test"), ".onnx")
        # A character that crosses the end of the part that is looked at.
        for length in range(4090, 4097):
            text = ADD + "# " + "x" * (length - len(ADD) - 2) + "\u20ac" * 4
            self.assertEqual(_suffix_of(text.encode()), ".py")
        self.assertEqual(_suffix_of(ADD.encode() + b"\xe2\x82"), ".onnx")

    @unittest.skipUnless(installed("numpy"), "numpy is not installed")
    def test_arrays_keep_any_name(self):
        import numpy
        from lathe.arrays import write_arrays

        names = ("file", "allow_pickle", "self", "a/b", "x")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.npz"
            write_arrays(path, {name: [number, 0.5] for number, name in enumerate(names)})
            with numpy.load(path) as read:
                self.assertEqual({name: read[name][0] for name in read.files}, {name: n for n, name in enumerate(names)})
            with self.assertRaises(ValueError):
                write_arrays(path, {"x": [object()]})
        text = ADD.replace("x: ", "file: ").replace("divide(x, y)", "divide(file, y)").partition("    @R.function\n    def pair")[0]
        ran = lathe.run(text.encode(), {"file": numpy.float32([4, 8]), "y": numpy.float32([2, 2])})
        self.assertEqual(ran.value.tolist(), [2, 4])

    @unittest.skipUnless(installed("numpy"), "numpy is not installed")
    def test_values_that_are_not_finite_have_any_dtype(self):
        from lathe.arrays import read_value

        for dtype in ("bfloat16", "float8_e5m2", "float16", "float32"):
            value = read_value({"kind": "tensor", "dtype": dtype, "shape": [3], "data": ["NaN", "inf", 1]})
            self.assertEqual([str(float(x)) for x in value], ["nan", "inf", "1.0"])

    def test_members_that_later_versions_add_are_ignored(self):
        from lathe.verbs import _compared

        output = {"name": "y", "dtype": "int8", "shape": [2], "largest_difference": 0, "elements": 2, "unequal": 0,
                  "first_unequal": None, "later": 1}
        self.assertEqual(_compared(output).elements, 2)

    def test_module_is_the_program(self):
        done = subprocess.run([sys.executable, "-m", "lathe", "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split()[:2], ["lathe", lathe.version()])
        done = subprocess.run([sys.executable, "-m", "lathe", "check", "none.py"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 5)


if __name__ == "__main__":
    names = ("numpy", "onnx", "torch", "sklearn", "skl2onnx", "keras", "tvm")
    print("not installed:", ", ".join(n for n in names if not installed(n)) or "nothing", file=sys.stderr)
    unittest.main()
