#!/usr/bin/env python3
"""Compares `lathe quantize` with ONNX Runtime's quantizer: compare_with_onnxruntime.py LATHE [WORK] [NAME...]

Trains the networks of networks.py, quantizes each with both on the same calibration data, and runs
the results in ONNX Runtime. Fails unless
  - the accuracy of each network is within 0.5 points of float32, or ONNX Runtime's loses as much,
  - the SQNR of the outputs is at least that of ONNX Runtime's on all networks but two,
  - the SQNR of the layers is at least that of ONNX Runtime's on average, in each network,
  - ONNX Runtime and `lathe run` compute the same from the written model, also with weights of 4 bits,
  - the compiled weights of 4 bits take less flash than those of 8.
"""
import json
import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

try:
    import numpy as np
    import onnx
    import onnxruntime
    import torch
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process
except ImportError as error:
    print(f"skipped: {error.name} is not installed")
    sys.exit(77)
import networks

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


def values(path, names, x):
    """The named values of the model in `path`, of all samples."""
    model = onnx.load(str(path))
    known = {output.name for output in model.graph.output}
    for name in names:
        if name not in known:
            model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    run = session(model.SerializeToString(), exact=True)
    results = [run.run(names, {"x": x[i:i + 1]}) for i in range(len(x))]
    return [np.concatenate([result[k].reshape(1, -1) for result in results]) for k in range(len(names))]


def layer_ratios(model, written, other, x):
    """The SQNR of each value that both quantize, in Lathe's model and in ONNX Runtime's."""
    computed = [{name for node in onnx.load(str(path)).graph.node for name in node.output}
                for path in (model, written, other)]
    found = []
    for name in sorted(computed[0]):
        theirs = name + "_DequantizeLinear_Output"
        plain = re.sub(r"\W", "_", name) + "_dequantized"
        for ours in (plain, plain.lstrip("_")):  # without an underscore before a letter
            if ours in computed[1] and theirs in computed[2]:
                found.append((name, ours, theirs))
    real, ours, theirs = (values(path, [names[k] for names in found], x)
                          for k, path in enumerate((model, written, other)))
    return [(sqnr(r, a), sqnr(r, b)) for r, a, b in zip(real, ours, theirs)]


def session(path, exact=False):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    if exact:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(path if isinstance(path, bytes) else str(path), options)


def outputs(path, x, exact=False):
    run = session(path, exact)
    return np.concatenate([run.run(None, {"x": x[i:i + 1]})[0] for i in range(len(x))])


class Reader(quantization.CalibrationDataReader):
    def __init__(self, x):
        self.samples = iter([{"x": x[i:i + 1]} for i in range(len(x))])

    def get_next(self):
        return next(self.samples, None)


def sqnr(real, quantized):
    return 10 * np.log10((real ** 2).sum() / ((real - quantized) ** 2).sum())


def quantize_with_onnxruntime(model, calibration):
    prepared, out = model.with_suffix(".prepared.onnx"), model.with_suffix(".onnxruntime.onnx")
    quant_pre_process(str(model), str(prepared), skip_symbolic_shape=True)
    quantization.quantize_static(str(prepared), str(out), Reader(calibration), per_channel=True,
                                 quant_format=quantization.QuantFormat.QDQ,
                                 activation_type=quantization.QuantType.QInt8,
                                 weight_type=quantization.QuantType.QInt8)
    return out


def same_in_lathe(lathe, model, x):
    """The largest difference between ONNX Runtime and `lathe run`, in parts of the largest output."""
    with tempfile.TemporaryDirectory() as folder:
        given, result = f"{folder}/x.npy", f"{folder}/y.npy"
        np.save(given, x[:1])
        subprocess.run([lathe, "run", model, "-q", "--numerics", "onnx", "--input", f"x={given}", "-o", result], check=True)
        expected, actual = outputs(model, x[:1], exact=True), np.load(result)
        return np.abs(expected - actual).max() / np.abs(expected).max()


def flash(lathe, model):
    """The bytes of weights of the model, compiled for a Cortex-M4."""
    done = subprocess.run([lathe, "analyze", model, "-q", "--json", "-t", "cortex-m4"], check=True, capture_output=True)
    return json.loads(done.stdout)["totals"]["weights_bytes"]


def compare_int4(lathe, model, calibration, x, labels, real, eight):
    """A line about weights of 4 bits beside the model `eight` with those of 8, and what is wrong."""
    four = model.with_suffix(".int4.onnx")
    subprocess.run([lathe, "quantize", model, "--data", calibration, "--weights", "int4", "-o", four, "-q"],
                   check=True, stdout=subprocess.DEVNULL)
    # Not optimized: MatMulAddFusion of ONNX Runtime 1.32 inserts nodes with two types.
    results, bytes8, bytes4 = outputs(four, x, exact=True), flash(lathe, eight), flash(lathe, four)
    line = f"{'':14s} int4: SQNR {sqnr(real, results):5.1f} dB, {bytes4} bytes of weights instead of {bytes8}"
    if results.shape[1:] == (networks.CLASSES,):
        line += f"; accuracy {100 * (results.argmax(1) == labels).mean():.1f} %"
    off = same_in_lathe(lathe, four, x)
    wrong = [f"ONNX Runtime and lathe run differ by {off:.2g} with int4"] if off > 1e-5 else []
    return line, wrong + ["int4 takes no less flash"] * (bytes4 >= bytes8)


def main():
    lathe = sys.argv[1]
    work = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "quantized")
    work.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[3:]
    x, labels = networks.images(1000, 2)
    calibration, _ = networks.images(64, 3)
    np.savez(work / "calibration.npz", x=calibration)
    better, failed, count = 0, [], 0
    for name, make, epochs in networks.NETWORKS:
        if wanted and name not in wanted:
            continue
        count += 1
        model = work / f"{name}.onnx"
        network = networks.trained(name, make, epochs)
        torch.onnx.export(network, (torch.tensor(x[:1]),), str(model), input_names=["x"], output_names=["y"],
                          dynamo=False, opset_version=17)
        real = outputs(model, x)
        written = work / f"{name}.lathe.onnx"
        subprocess.run([lathe, "quantize", model, "--data", work / "calibration.npz", "-o", written, "-q"],
                       check=True, stdout=subprocess.DEVNULL)
        other = quantize_with_onnxruntime(model, calibration)
        ours, theirs = outputs(written, x), outputs(other, x)
        line = f"{name:14s} SQNR {sqnr(real, ours):5.1f} dB, ONNX Runtime's {sqnr(real, theirs):5.1f} dB"
        better += sqnr(real, ours) >= sqnr(real, theirs)
        if name != "autoencoder":
            accuracy = [100 * (y.argmax(1) == labels).mean() for y in (real, ours, theirs)]
            line += "; accuracy {:.1f} %, {:.1f} %, ONNX Runtime's {:.1f} %".format(*accuracy)
            if accuracy[1] < min(accuracy[0] - 0.5, accuracy[2]):
                failed.append(f"{name} loses accuracy")
        layers = layer_ratios(model, written, other, x[:100])
        if name == "unbalanced":
            layers = []  # the channels of equalized layers have other scales
        else:
            line += f"; {sum(a >= b - 0.05 for a, b in layers)} of {len(layers)} layers at least as good"
        if name != "unbalanced" and (not layers or np.mean([a - b for a, b in layers]) < 0):
            failed.append(f"{name}: layers have a lower SQNR")
        off = same_in_lathe(lathe, written, x)
        if off > 1e-5:
            failed.append(f"{name}: ONNX Runtime and lathe run differ by {off:.2g}")
        print(line, flush=True)
        line, wrong = compare_int4(lathe, model, work / "calibration.npz", x, labels, real, written)
        failed += [f"{name}: {text}" for text in wrong]
        print(line, flush=True)
    if better < count - 2:
        failed.append(f"the SQNR is at least ONNX Runtime's on {better} networks of {count} only")
    print("\n".join(failed) or f"{count} networks, fine")
    sys.exit(bool(failed))


main()
