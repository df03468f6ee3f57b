"""Writes random models of one operator of com.microsoft, in the form of ONNX's node tests.

    python3 microsoft.py FOLDER [--count N] [--seed S] [--only OP]

The operators are those that ONNX Runtime's optimizer and quantizers write and that its CPU
provider runs. Attributes, optional inputs, sizes and element types vary. Parameters of
quantization are initializers, other inputs are either.
"""
import argparse
import os
import shutil

import microsoft_attention
import microsoft_fused
import microsoft_quantized
import numpy as np
import onnx.numpy_helper as numpy_helper
from dice import Dice
from onnx import helper

OPS = {}
for family in (microsoft_attention, microsoft_fused, microsoft_quantized):
    OPS.update(family.OPS)


def write(folder, op, node, d):
    names = ["" if x is None else "x%d" % i for i, x in enumerate(node.inputs)]
    while names and not names[-1]:
        names.pop()
    kept = range(node.outputs) if isinstance(node.outputs, int) else node.outputs
    results = ["y%d" % i if i in kept else "" for i in range(max(kept) + 1)]
    graph_node = helper.make_node(op, names, results, domain=node.domain, **node.attributes)
    free = [i for i in range(len(names)) if names[i] and (i in node.free) and d.chance(.85)]
    fixed = [i for i in range(len(names)) if names[i] and i not in free]
    infos = []
    for i in free:
        number = helper.np_dtype_to_tensor_dtype(node.inputs[i].dtype)
        infos.append(helper.make_tensor_value_info(names[i], number, node.inputs[i].shape))
    constants = [numpy_helper.from_array(np.asarray(node.inputs[i]), names[i]) for i in fixed]
    outs = [helper.make_empty_tensor_value_info(r) for r in results if r]
    opset = d.pick((13, 17, 21))
    graph = helper.make_graph([graph_node], "g", infos, outs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset),
                                                    helper.make_opsetid("com.microsoft", 1)], ir_version=8)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(model.SerializeToString())
    for k, i in enumerate(free):
        with open(os.path.join(data, "input_%d.pb" % k), "wb") as file:
            file.write(numpy_helper.from_array(np.asarray(node.inputs[i]), names[i]).SerializeToString())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    names = sorted(op for op in OPS if args.only in op)
    for seed in range(args.seed, args.seed + args.count):
        op, d = names[seed % len(names)], Dice(seed)
        folder = os.path.join(args.folder, "test_%s_%06d" % (op, seed))
        shutil.rmtree(folder, ignore_errors=True)
        write(folder, op, OPS[op](d), d)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
