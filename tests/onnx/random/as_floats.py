"""Casts the outputs of a case that are floats of at most 8 bits to float32: as_floats.py CASE

Their bytes are compared exactly otherwise, and of these two may be the same number: 0 with another
sign, or another NaN. Changes model.onnx and the expected outputs of CASE in place. Ends with 1 where
there is no such output.
"""
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SMALL = {number for name, number in TensorProto.DataType.items() if name.startswith(("FLOAT8", "FLOAT4", "FLOAT6"))}


def main():
    path = os.path.join(sys.argv[1], "model.onnx")
    model = onnx.load(path)
    graph, changed = model.graph, False
    for i, output in enumerate(list(graph.output)):
        file = os.path.join(sys.argv[1], "test_data_set_0", "output_%d.pb" % i)
        with open(file, "rb") as data:
            tensor = TensorProto.FromString(data.read())
        if output.type.tensor_type.elem_type not in SMALL:
            continue
        dtype = helper.tensor_dtype_to_np_dtype(output.type.tensor_type.elem_type)
        array = numpy_helper.to_array(tensor)
        array = array.view(dtype) if array.dtype == np.uint8 else array
        name = output.name + "_as_float"
        with open(file, "wb") as data:
            data.write(numpy_helper.from_array(array.astype(np.float32), name).SerializeToString())
        graph.node.append(helper.make_node("Cast", [output.name], [name], to=TensorProto.FLOAT))
        output.name, output.type.tensor_type.elem_type, changed = name, TensorProto.FLOAT, True
    onnx.save(model, path)
    return 0 if changed else 1


if __name__ == "__main__":
    sys.exit(main())
