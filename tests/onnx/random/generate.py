"""Writes random ONNX models, each with inputs, in the form of ONNX's node tests.

    python3 generate.py FOLDER [--count N] [--seed S] [--only OP,...] [--opset N] [--nodes LOW-HIGH]
                        [--runnable] [--list]

FOLDER/SEED_OP/model.onnx and test_data_set_0/input_0.pb, ... What the outputs are is for others to
say: oracle.py, or an interpreter. A graph has 1 to 4 nodes, or as many as --nodes says. --runnable
leaves out nodes that ONNX Runtime does not run, or wrongly: those of a large graph would leave it
without an oracle. --list prints the operators of ONNX's schemas that no model has.
"""
import argparse
import os
import random
import shutil

import control
import elementwise
import indexing
import movement
import placement
import products
import reductions
import windows
from graph import Graph, NotInVersion, Schemas, tensor_bytes

OPS = {}
for family in (elementwise, movement, placement, reductions, windows, products, indexing, control):
    OPS.update(family.OPS)

# Operators that are not generated, and why.
LEFT_OUT = {
    "ImageDecoder": "not supported", "RegexFullMatch": "strings",
    "Multinomial": "draws numbers",
    "Bernoulli": "draws numbers", "RandomNormal": "draws numbers",
    "RandomNormalLike": "draws numbers", "RandomUniform": "draws numbers",
    "RandomUniformLike": "draws numbers",
    "CausalConvWithState": "no oracle has it", "LinearAttention": "no oracle has it",
    "SequenceMap": "a function of Loop and the others, which are generated",
    "StringConcat": "strings", "StringNormalizer": "strings", "StringSplit": "strings",
}
FIRST_OPSET, LAST_OPSET = 7, 28


def grow(g, op, first, runs):
    """Adds a node of the operator, if the version has it, and where `runs` says that it does."""
    before = len(g.nodes)
    mark = g.mark()
    try:
        g.schemas.row(op, g.opset)
        OPS[op](g, op)
    except NotInVersion:
        if first:
            raise
        assert len(g.nodes) >= before
    if runs is not None and len(g.nodes) > before and not runs(g, before):
        g.take_back(mark)
        if first:
            raise NotInVersion(op)


def generate(seed, schemas, only=None, opset=None, sizes=None, runs=None):
    """The graph of `seed`, its first operator, and the values that it gives."""
    rng = random.Random(seed)
    names = sorted(only or OPS)
    for _ in range(1000):
        version = opset or rng.randint(FIRST_OPSET, LAST_OPSET)
        first = names[seed % len(names)] if not only or len(only) > 1 else names[0]
        g = Graph(rng, version, schemas)
        nodes = rng.randint(*sizes) if sizes else rng.choice([1, 1, 2, 3, 4])
        try:
            tries = 3 * nodes if runs else nodes
            for k in range(tries):
                grow(g, first if k == 0 else rng.choice(names), k == 0, runs)
                if len(g.ops) >= nodes:
                    break
        except NotInVersion:
            continue
        outputs = choose_outputs(g)
        if outputs:
            return g, first, outputs
    raise RuntimeError("no graph for seed %d" % seed)


def choose_outputs(g):
    made = [v for v in g.values if v.kind == "computed" and v.like is None]
    made += g.loose
    outputs = [v for v in made if g.chance(0.9 if v.name not in g.used else 0.3)]
    if not outputs and made:
        outputs = [g.pick(made)]
    g.rng.shuffle(outputs)
    return outputs


def write(folder, g, outputs):
    model, inputs = g.model(outputs)
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(model)
    for i, v in enumerate(inputs):
        with open(os.path.join(data, "input_%d.pb" % i), "wb") as file:
            file.write(tensor_bytes(v.name, v.dtype, v.shape, v.data))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--opset", type=int)
    parser.add_argument("--nodes", default="")
    parser.add_argument("--runnable", action="store_true")
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    schemas = Schemas()
    unknown = set(schemas.rows) - set(OPS) - set(LEFT_OUT)
    unknown = {op for op in unknown if schemas.rows[op][-1][1] != "deprecated"}
    if args.list:
        for op in sorted(LEFT_OUT):
            print("%s: %s" % (op, LEFT_OUT[op]))
        for op in sorted(unknown):
            print("%s: it is not implemented" % op)
        return 1 if unknown else 0
    only = args.only.split(",") if args.only else None
    sizes = [int(size) for size in args.nodes.split("-")] if args.nodes else None
    runs = in_child = None
    if args.runnable:
        from runnable import in_child, runs

    def make(seed):
        g, first, outputs = generate(seed, schemas, only, args.opset, sizes, runs)
        folder = os.path.join(args.folder, "test_%s_%06d" % (first, seed))
        shutil.rmtree(folder, ignore_errors=True)
        write(folder, g, outputs)

    for seed in range(args.seed, args.seed + args.count):
        if in_child:  # a seed may have no model
            in_child(lambda: make(seed))
        else:
            make(seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
