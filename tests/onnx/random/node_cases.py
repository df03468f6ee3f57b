"""Writes the node cases of the installed ONNX in the form of its test data: node_cases.py FOLDER

FOLDER/CASE/model.onnx and FOLDER/CASE/test_data_set_N/input_0.pb, ..., output_0.pb, ... Ends with
77 where Python's onnx is missing.
"""
import copy
import os
import shutil
import sys
import warnings

SKIPPED = 77
try:
    import numpy as np
    import onnx
    from onnx import numpy_helper
except ImportError:
    print("skipped: onnx is missing")
    sys.exit(SKIPPED)


def collect():
    """The cases, by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases
        return sorted((c for c in collect_testcases(None) if c.kind == "node"), key=lambda c: c.name)


def proto_of(given, info):
    """`given`, a value of an input or output, as bytes with its name."""
    kind = info.type.WhichOneof("value")
    if isinstance(given, (onnx.TensorProto, onnx.SequenceProto, onnx.OptionalProto)):
        proto = copy.deepcopy(given)
        proto.name = info.name
    elif kind == "sequence_type":
        proto = numpy_helper.from_list(given, info.name)
    elif kind == "optional_type":
        proto = numpy_helper.from_optional(given, info.name)
    elif kind == "map_type":
        proto = numpy_helper.from_dict(given, info.name)
    else:
        proto = numpy_helper.from_array(np.asarray(given), info.name)
    return proto.SerializeToString()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: node_cases.py FOLDER")
    cases = collect()
    for case in cases:
        folder = os.path.join(sys.argv[1], case.name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        write(os.path.join(folder, "model.onnx"), case.model.SerializeToString())
        for k, (inputs, outputs) in enumerate(case.data_sets):
            data = os.path.join(folder, "test_data_set_%d" % k)
            os.makedirs(data)
            for stem, values, infos in (("input", inputs, case.model.graph.input),
                                        ("output", outputs, case.model.graph.output)):
                for i, (value, info) in enumerate(zip(values, infos)):
                    write(os.path.join(data, "%s_%d.pb" % (stem, i)), proto_of(value, info))
    print("%d cases of ONNX %s" % (len(cases), onnx.__version__))


if __name__ == "__main__":
    main()
