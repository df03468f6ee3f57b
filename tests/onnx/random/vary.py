"""Writes variations of ONNX's node cases, each with inputs, in the form of ONNX's node tests.

    python3 vary.py FOLDER [--count N] [--seed S] [--only TEXT]

The cases are those of the installed `onnx`. Each model is one of them with one to three changes:
another version, element type, attribute, size, rank or value, an input as an initializer or of
dynamic size, an optional operand left out, more consumers, or the node inside a function or a
branch. Many changes break a model; ONNX's checker and inference remove most of these. There may be
fewer than N cases: of some models ONNX's inference ends by a signal.
"""
import argparse
import copy
import os
import random
import re
import shutil

import left_open
import node_cases
import numpy as np
import onnx
import onnx.numpy_helper
from changes import CHANGES, LAST, Broken, Case
from onnx import AttributeProto

MOST_ELEMENTS = 20000
# Drawn numbers are compared with nothing; files are not supported.
LEFT_OUT = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
            "RandomUniformLike", "Dropout", "ImageDecoder", "Gradient"}


def array_of(value):
    """A tensor as an array, other values as they are."""
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return np.asarray(value) if isinstance(value, (np.generic, float, int)) else value


def seeds():
    """The node cases of the installed ONNX: models with the inputs of their first data set."""
    cases = []
    for c in node_cases.collect():
        operators = {node.op_type for node in c.model.graph.node}
        if not operators & LEFT_OUT and len(c.model.graph.node) <= 120:
            values = [array_of(v) for v in c.data_sets[0][0]]
            cases.append(Case(c.name, c.model, dict(zip((i.name for i in c.model.graph.input),
                                                        values))))
    return cases


def attribute_values(cases):
    """The values that the cases give each attribute of an operator."""
    seen = {}
    for case in cases:
        for node in case.graph.node:
            for a in node.attribute:
                if a.type not in (AttributeProto.GRAPH, AttributeProto.GRAPHS):
                    seen.setdefault((node.op_type, a.name), []).append(a)
    return seen


def finish(case):
    """Declares of the outputs what inference says, or their type alone."""
    if sum(a.size for a in case.inputs.values() if isinstance(a, np.ndarray)) > MOST_ELEMENTS:
        raise Broken("large")
    for output in case.graph.output:
        output.CopyFrom(onnx.ValueInfoProto(name=output.name))
    del case.graph.value_info[:]
    try:
        inferred = onnx.shape_inference.infer_shapes(case.model, check_type=True, strict_mode=True,
                                                     data_prop=True)
        known = {o.name: o for o in inferred.graph.output}
        for output in case.graph.output:
            output.CopyFrom(known[output.name])
            if output.type.WhichOneof("value") is None:
                raise Broken("an output without a type")
        onnx.checker.check_model(with_shapes(case.model))
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError, RuntimeError,
            ValueError) as e:
        raise Broken(str(e))
    left_open.define_casts(case.model, case.inputs)


def with_shapes(model):
    """The model with some shape for each output, without which the checker does not go on."""
    model = copy.deepcopy(model)
    for output in model.graph.output:
        if output.type.WhichOneof("value") == "tensor_type":
            output.type.tensor_type.shape.SetInParent()
    return model


def vary(seed, cases, seen):
    rng = random.Random(seed)
    while True:
        source = rng.choice(cases)
        case = Case(source.name, copy.deepcopy(source.model), dict(source.inputs))
        chosen = rng.sample(CHANGES, rng.choice((1, 1, 2, 2, 3)))
        chosen.sort(key=lambda f: LAST.index(f) if f in LAST else -1)
        try:
            for change in chosen:
                change(case, rng, seen)
                case.changes.append(change.__name__)
            finish(case)
            return case
        except Broken:
            continue


def write(folder, case):
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(case.model.SerializeToString())
    for i, value in enumerate(case.graph.input):
        with open(os.path.join(data, "input_%d.pb" % i), "wb") as file:
            file.write(node_cases.proto_of(case.inputs[value.name], value))


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    return parser.parse_args()


def write_all(args, make):
    """Writes the cases of all seeds. `make` gives the name and the case of a seed; no case if there is none."""
    os.makedirs(args.folder, exist_ok=True)
    seed, end = args.seed, args.seed + args.count
    while seed < end:
        # In a process of its own: ONNX's inference may end by a signal.
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            for seed in range(seed, end):
                os.write(tell, b".")
                stem, case = make(seed)
                if case is None:
                    continue
                folder = os.path.join(args.folder, "test_%s_%06d" % (stem, seed))
                shutil.rmtree(folder, ignore_errors=True)
                write(folder, case)
            os._exit(0)
        os.close(tell)
        while begun := os.read(told, 65536):
            seed += len(begun)
        os.close(told)
        os.waitpid(child, 0)


def main():
    args = arguments()
    cases = seeds()
    seen = attribute_values(cases)
    cases = [c for c in cases if args.only in c.name]

    def make(seed):
        case = vary(seed, cases, seen)
        return re.sub(r"^test_", "", case.name), case

    write_all(args, make)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
