"""Says whether ONNX Runtime runs the newest nodes of a graph, and rightly."""
import os
import signal

import faults
import left_open
import onnx
import oracle
from graph import tensor_bytes

MOST_SECONDS = 30


def in_child(make):
    """Calls `make` in a process of its own, which ONNX Runtime may end by a signal, or never.

    Its warnings there are of its own past.
    """
    child = os.fork()
    if child == 0:
        signal.alarm(MOST_SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        make()
        os._exit(0)
    os.waitpid(child, 0)


def runs(g, before):
    """Whether it gives the results of the nodes from place `before` on, which are defined."""
    made = {name for _, _, outputs, _ in g.nodes[before:] for name in outputs if name}
    outputs = [v for v in g.values + g.loose if v.name in made and v.like is None]
    if not outputs:
        return True
    data, inputs = g.model(outputs)
    model = onnx.load_from_string(data)
    for output in model.graph.output:
        output.CopyFrom(onnx.helper.make_empty_tensor_value_info(output.name))
    if faults.faults(faults.ORT, model):
        return False
    tensors = {v.name: onnx.TensorProto.FromString(tensor_bytes(v.name, v.dtype, v.shape, v.data)) for v in inputs}
    results, _ = oracle.attempt(oracle.by_ort, model.SerializeToString(), tensors)
    if results is None:
        return False
    newest = {op for op, _, _, _ in g.nodes[before:]}
    return not newest & set(left_open.RULES) or not oracle.why_open(model, tensors)
