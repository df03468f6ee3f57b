"""Says what the models of generate.py give, by ONNX Runtime and by ONNX's reference.

    python3 oracle.py FOLDER [--prefer ort|reference] [--only TEXT] [--report NAME]

Writes output_0.pb, ... beside the inputs of every case of which the oracles know the outputs, and
FOLDER/oracle.txt with a line for each case: its name, how that went, why, and its operators with
their element types:

    both      the two agree
    ort       only ONNX Runtime evaluates it
    reference only the reference does
    differ    they disagree, and what differs is named; the outputs are those of --prefer
    none      neither evaluates it; the message of ONNX Runtime follows
    open      the standard leaves open what a node gives for these values

Needs the packages numpy, onnx and onnxruntime.
"""
import argparse
import os
import signal
import sys
import warnings

import faults
import left_open
import numpy as np
import onnx
import onnx.numpy_helper as helper
import onnxruntime
from node_cases import proto_of
from onnx.reference import ReferenceEvaluator

MOST_SECONDS = 60
RTOL = {"float16": 4e-3, "bfloat16": 3e-2}


def session(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def read_inputs(folder, graph):
    known = {t.name for t in graph.initializer}
    values = {}
    for i, value in enumerate(v for v in graph.input if v.name not in known):
        kind = value.type.WhichOneof("value")
        proto = {"sequence_type": onnx.SequenceProto, "optional_type": onnx.OptionalProto,
                 "map_type": onnx.MapProto}.get(kind, onnx.TensorProto)
        with open(os.path.join(folder, "input_%d.pb" % i), "rb") as file:
            values[value.name] = proto.FromString(file.read())
    return values


def array_of(proto):
    if isinstance(proto, onnx.SequenceProto):
        return helper.to_list(proto)
    if isinstance(proto, onnx.OptionalProto):
        return helper.to_optional(proto)
    if isinstance(proto, onnx.MapProto):
        return helper.to_dict(proto)
    return helper.to_array(proto)


def ort_value(proto):
    array = helper.to_array(proto)
    if array.dtype.isbuiltin == 1 and array.dtype.kind not in "OU":
        return onnxruntime.OrtValue.ortvalue_from_numpy(array)
    packed = (onnx.TensorProto.INT4, onnx.TensorProto.UINT4, onnx.TensorProto.INT2,
              onnx.TensorProto.UINT2, onnx.TensorProto.FLOAT4E2M1)
    if array.dtype.kind not in "OU" and proto.data_type not in packed:
        bits = np.array(array, order="C").view(np.uint8 if array.dtype.itemsize == 1 else np.uint16)
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, proto.data_type)
    raise TypeError("no plain values")


def by_ort(model, inputs):
    run = session(model)
    plain = all(isinstance(proto, onnx.TensorProto) and proto.data_type != onnx.TensorProto.STRING
                for proto in inputs.values())
    if not plain:
        return run.run(None, {name: array_of(proto) for name, proto in inputs.items()})
    results = []
    for value in run.run_with_ort_values(None, {n: ort_value(p) for n, p in inputs.items()}):
        if value.is_tensor() and value.element_type() == onnx.TensorProto.BFLOAT16:
            raise TypeError("bfloat16 outputs")
        results.append(value.numpy())
    return results


def by_reference(model, inputs):
    feed = {name: array_of(proto) for name, proto in inputs.items()}
    out = ReferenceEvaluator(onnx.load_from_string(model)).run(None, feed)
    return [v if isinstance(v, list) else np.asarray(v) for v in out]


def why_open(proto, inputs):
    """Why the standard leaves open what the model gives for these inputs, or nothing."""
    proto = left_open.inlined(proto)
    values = {name: array_of(value) for name, value in inputs.items()}
    between = left_open.wanted(proto)
    if between:
        more = onnx.ModelProto.FromString(proto.SerializeToString())
        del more.graph.output[:]
        more.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in between)
        for evaluate in (by_ort, by_reference):
            found, _ = attempt(evaluate, more.SerializeToString(), inputs)
            if found is not None:
                values.update(zip(between, found))
                break
    return left_open.left_open(proto, values)


def attempt(evaluate, model, inputs):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return evaluate(model, inputs), ""
    except BaseException as error:  # whatever an oracle does not know
        if isinstance(error, KeyboardInterrupt):
            raise
        return None, "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:160])


def apart(a, b):
    """How two lists of outputs differ, or nothing."""
    if len(a) != len(b):
        return "%d and %d outputs" % (len(a), len(b))
    for i, (x, y) in enumerate(zip(a, b)):
        if isinstance(x, list) or isinstance(y, list):
            inner = apart(x, y) if isinstance(x, list) and isinstance(y, list) else "one is a list"
            if inner:
                return "output %d: %s" % (i, inner)
            continue
        if x.shape != y.shape:
            return "output %d: shapes %s and %s" % (i, x.shape, y.shape)
        if x.dtype == np.uint8 and "float" in str(y.dtype) and y.dtype.itemsize == 1:
            x = x.view(y.dtype)  # ONNX Runtime gives their bytes
        if x.dtype != y.dtype:
            return "output %d: types %s and %s" % (i, x.dtype, y.dtype)
        if "float" in str(x.dtype):
            name = str(x.dtype)
            u, v = x.astype(np.float64), y.astype(np.float64)
            close = np.isclose(u, v, rtol=RTOL.get(name, 1e-4), atol=1e-5, equal_nan=True)
        else:
            close = np.asarray(x == y)
        if not np.all(close):
            return "output %d: %d of %d elements" % (i, int(np.sum(~close)), close.size)
    return ""


def declared_otherwise(graph, outputs):
    """Which output has another size than the model declares."""
    for value, array in zip(graph.output, outputs):
        shape = value.type.tensor_type.shape
        if not value.type.tensor_type.HasField("shape") or isinstance(array, list):
            continue
        if len(shape.dim) != array.ndim or any(
                d.HasField("dim_value") and d.dim_value != size
                for d, size in zip(shape.dim, array.shape)):
            return "'%s' is declared with another shape" % value.name
    return ""


def judge(folder, prefer):
    with open(os.path.join(folder, "model.onnx"), "rb") as file:
        model = file.read()
    data = os.path.join(folder, "test_data_set_0")
    for name in os.listdir(data):
        if name.startswith("output_"):
            os.remove(os.path.join(data, name))
    proto = onnx.load_from_string(model)
    inputs = read_inputs(data, proto.graph)
    undefined, _ = attempt(lambda model, values: why_open(proto, values), model, inputs)
    if undefined:
        return "open", undefined
    ort, why = None, faults.faults(faults.ORT, proto)
    if not why:
        ort, why = attempt(by_ort, model, inputs)
    ref, why_ref = None, faults.faults(faults.REFERENCE, proto)
    if not why_ref:
        ref, why_ref = attempt(by_reference, model, inputs)
    if ort is None and ref is None:
        return "none", why + " / " + why_ref
    otherwise = "" if ort is None else declared_otherwise(proto.graph, ort)
    if otherwise:
        return "none", otherwise
    outputs = ref if ort is None or (ref is not None and prefer == "reference") else ort
    for i, (value, out) in enumerate(zip(outputs, proto.graph.output)):
        with open(os.path.join(data, "output_%d.pb" % i), "wb") as file:
            file.write(proto_of(value, out))
    if ort is None:
        return "reference", why
    if ref is None:
        return "ort", why_ref
    difference = apart(ort, ref)
    return ("differ", difference) if difference else ("both", "")


def operators(folder):
    model = onnx.load(os.path.join(folder, "model.onnx"))
    found, _ = attempt(lambda model, inputs: left_open.described(left_open.inlined(model)), model, None)
    return found or " ".join(sorted({node.op_type for node in model.graph.node}))


def write(path, name, verdict, why, folder):
    with open(path, "a") as report:
        report.write("%s\t%s\t%s\t%s\n" % (name, verdict, why, operators(folder)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--prefer", choices=["ort", "reference"], default="ort")
    parser.add_argument("--only", default="")
    parser.add_argument("--report", default="oracle.txt")
    args = parser.parse_args()
    names = all_names = sorted(n for n in os.listdir(args.folder) if n.startswith("test_") and args.only in n)
    path = os.path.join(args.folder, args.report)
    open(path, "w").close()
    while names:
        # In a process of its own: an oracle may end by a signal, or never.
        child = os.fork()
        if child == 0:
            for name in names:
                folder = os.path.join(args.folder, name)
                signal.alarm(MOST_SECONDS)
                verdict, why = judge(folder, args.prefer)
                write(path, name, verdict, why, folder)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        with open(path) as report:
            done = sum(1 for _ in report)
        rest = all_names[done:]
        if status and rest:
            write(path, rest[0], "none", "ended with status %d" % status,
                  os.path.join(args.folder, rest[0]))
            rest = rest[1:]
        names = rest
    counts = {}
    with open(path) as report:
        for line in report:
            verdict = line.split("\t")[1]
            counts[verdict] = counts.get(verdict, 0) + 1
    print(" ".join("%s %d" % pair for pair in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
