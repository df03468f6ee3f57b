#!/usr/bin/env python3
"""PyTorch's side of a row of gpu_speed.py: torch_rival.py WHAT INPUTS OUTPUTS, WHAT as JSON.

Takes the inputs of the other side and the weights of the same network, and speaks as that side does
(templates/validate/cuda_main.cpp.tmpl): "ready", then for each line of the standard input some runs, "run: MILLISECONDS"
for each that counts. Writes its first result at the end. Attention is scaled_dot_product_attention, networks are written as
one writes them for PyTorch, with the fused attention, images with channels innermost, and torch.compile.
"""
import json
import pathlib
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

what = json.loads(sys.argv[1])
on_gpu = what.get("device", "cuda") == "cuda"  # a processor is for trying this file
HALF = torch.float16


def tensors(path, parts):
    """The inputs in their order; of each its shape and dtype."""
    data = bytearray(pathlib.Path(path).read_bytes())
    at = 0
    for shape, dtype in parts:
        count = torch.Size(shape).numel()
        one = torch.frombuffer(data, dtype=dtype, count=count, offset=at).reshape(shape)
        at += count * one.element_size()
        yield one.to(what.get("device", "cuda"))


def weights(path):
    """Returns the constant tensors of a network in the order of their creation."""
    import onnx
    from onnx import numpy_helper
    made = sorted(onnx.load(path).graph.initializer, key=lambda one: int(one.name[1:]))
    for one in made:
        if one.data_type == onnx.TensorProto.FLOAT16 and one.dims:
            yield torch.from_numpy(numpy_helper.to_array(one).copy()).to(what.get("device", "cuda"))


class Filled:
    """Layers with the weights that come next."""

    def __init__(self, path):
        self.left = weights(path)

    def fill(self, layer):
        for name, own in list(layer.named_parameters()):
            given = next(self.left)
            if own.ndim == 2 and isinstance(layer, nn.Linear) and not layer.lies:
                given = given.t().contiguous()  # PyTorch's has a line for each output
            if own.shape != given.shape:
                raise ValueError(f"the network has {tuple(given.shape)} where {tuple(own.shape)} is wanted")
            setattr(layer, name, nn.Parameter(given, requires_grad=False))
        return layer.to(memory_format=torch.channels_last) if isinstance(layer, nn.Conv2d) else layer

    def linear(self, into, out, lies=False):
        layer = nn.Linear(into, out, device="meta", dtype=HALF)
        layer.lies = lies
        return self.fill(layer)

    def norm(self, width):
        return self.fill(nn.LayerNorm(width, device="meta", dtype=HALF))

    def table(self, count, width):
        return self.fill(nn.Embedding(count, width, device="meta", dtype=HALF))

    def conv(self, into, out, size=1, stride=1):
        return self.fill(nn.Conv2d(into, out, size, stride, size // 2, device="meta", dtype=HALF))


class Layer(nn.Module):
    def __init__(self, w, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = (w.linear(width, width) for _ in range(3))
        self.out, self.first = w.linear(width, width), w.norm(width)
        self.wide, self.narrow, self.second = w.linear(width, 4 * width), w.linear(4 * width, width), w.norm(width)

    def forward(self, x, bias):
        q, k, v = (by(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for by in (self.q, self.k, self.v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias).transpose(1, 2).flatten(2)
        x = self.first(self.out(mixed) + x)
        return self.second(self.narrow(F.gelu(self.wide(x))) + x)


class Bert(nn.Module):
    def __init__(self, path, layers=12, width=768, heads=12, vocabulary=30522, places=512):
        super().__init__()
        w = Filled(path)
        self.words, self.types, self.places = (w.table(n, width) for n in (vocabulary, 2, places))
        self.first = w.norm(width)
        self.layers = nn.ModuleList(Layer(w, width, heads) for _ in range(layers))
        self.pool = w.linear(width, width, lies=True)

    def forward(self, ids, kinds, mask):
        bias = ((1 - mask[:, None, None, :].to(HALF)) * -10000).expand(-1, 1, ids.shape[1], -1)
        x = self.first(self.words(ids) + self.types(kinds) + self.places.weight[:ids.shape[1]])
        for layer in self.layers:
            x = layer(x, bias)
        return x, torch.tanh(self.pool(x[:, 0]))


class Block(nn.Module):
    def __init__(self, w, channels, inner, stride, first):
        super().__init__()
        self.narrow, self.middle, self.wide = w.conv(channels, inner), w.conv(inner, inner, 3, stride), w.conv(inner, 4 * inner)
        self.shortcut = w.conv(channels, 4 * inner, 1, stride) if first else nn.Identity()

    def forward(self, x):
        y = self.wide(F.relu(self.middle(F.relu(self.narrow(x)))))
        return F.relu(y + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, path, classes=1000, depths=(3, 4, 6, 3), width=64):
        super().__init__()
        w = Filled(path)
        self.first, channels, blocks = w.conv(3, width, 7, 2), width, []
        for stage, depth in enumerate(depths):
            for k in range(depth):
                blocks.append(Block(w, channels, width << stage, 2 if stage > 0 and k == 0 else 1, k == 0))
                channels = 4 * (width << stage)
        self.blocks = nn.Sequential(*blocks)
        self.last = w.linear(channels, classes, lies=True)

    def forward(self, x):
        x = F.relu(self.first(x.contiguous(memory_format=torch.channels_last)))
        x = self.blocks(F.max_pool2d(x, 3, 2, 1))
        return (self.last(x.mean((2, 3))),)


def attention(q, k, v):
    q, k, v = (one.transpose(1, 2) for one in (q, k, v))
    return (F.scaled_dot_product_attention(q, k, v, is_causal=what["causal"]).transpose(1, 2),)


def made():
    """The function, and its inputs."""
    if what["what"] == "attention":
        return attention, list(tensors(sys.argv[2], [(what["shape"], HALF)] * 3))
    sizes = what["sizes"]
    if what["what"].startswith("bert"):
        network, parts = Bert(what["network"], *what.get("form", ())), [((sizes["batch"], sizes["sequence"]), torch.int64)] * 3
    else:
        network = ResNet(what["network"], *what.get("form", ()))
        parts = [((sizes["batch"], 3, what.get("pixels", 224), what.get("pixels", 224)), HALF)]
    return torch.compile(network, dynamic=False) if what.get("compiled", True) else network, list(tensors(sys.argv[2], parts))


def captured(run, inputs):
    """The same runs from a CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            run(*inputs)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = run(*inputs)

    def replay(*_):
        graph.replay()
        return result

    return replay


def turn(run, sets, before, runs):
    events = []
    for i in range(-before, runs):
        given = sets[i % len(sets)]
        if on_gpu:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            run(*given)
            end.record()
            if i >= 0:
                events.append((begin, end))
        else:
            start = time.perf_counter()
            run(*given)
            if i >= 0:
                print(f"run: {(time.perf_counter() - start) * 1e3:.6f}")
    if on_gpu:
        torch.cuda.synchronize()
    for begin, end in events:
        print(f"run: {begin.elapsed_time(end):.6f}")


def main():
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(1)
    with torch.no_grad():
        run, inputs = made()
        sets = [inputs] + [[one.clone() for one in inputs] for _ in range(what.get("sets", 1) - 1)]
        for _ in range(3):  # compiles, and chooses kernels
            run(*inputs)
        if what.get("graph") and on_gpu:
            run, sets = captured(run, inputs), sets[:1]
        print("ready", flush=True)
        for _ in sys.stdin:
            turn(run, sets, what["before"], what["runs"])
            print("ready", flush=True)
        result = run(*inputs)[0].contiguous().cpu()
    pathlib.Path(sys.argv[3]).write_bytes(result.numpy().tobytes())


if __name__ == "__main__":
    main()
