#!/usr/bin/env python3
"""Checks the diagnostics of TFLite models that are malformed or not supported:
malformed_models.py LATHE

Each case is a model, the code of the diagnostic and a part of its message. The exit code follows from
the code. Every file is read by one command at most.
"""
import argparse
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from flexbuffer_writer import flexbuffer
from model_writer import Model, Operator, Subgraph, Tensor, options

EXIT_CODES = {"tflite-malformed": 2, "tflite-bad-operator": 2, "tflite-unsupported": 3,
              "tflite-unsupported-operator": 3, "tflite-limit": 4}
RELU, CONCATENATION, CUSTOM, RESIZE_NEAREST, IF = 19, 2, 32, 97, 118


def chain(*operators, inputs=None, outputs=None):
    inputs = inputs if inputs is not None else [operators[0].inputs[0]]
    outputs = outputs if outputs is not None else [operators[-1].outputs[0]]
    return Model([Subgraph(inputs, outputs, list(operators))]).write()


def relu(shape=(4,), result=(4,), dtype="float32", out_dtype=None):
    x, y = Tensor("x", shape, dtype), Tensor("y", result, out_dtype or dtype)
    return chain(Operator(RELU, [x], [y]))


def patched(data, offset, form, value):
    data = bytearray(data)
    struct.pack_into(form, data, offset, value)
    return bytes(data)


def cases():
    good = relu()
    yield "truncated", good[: len(good) // 2], "tflite-malformed", "byte "
    yield "identifier", good[:4] + b"TFL2" + good[8:], "tflite-malformed", "identifier"
    yield "root outside", patched(good, 0, "<I", 1 << 30), "tflite-malformed", "byte "
    x, y = Tensor("x", [4]), Tensor("y", [4])
    yield "unknown operator", chain(Operator(250, [x], [y])), "tflite-unsupported-operator", \
        "operator 250"
    yield "TensorFlow kernel", chain(Operator(CUSTOM, [x], [y], custom="FlexErf")), \
        "tflite-unsupported-operator", "a kernel of TensorFlow"
    yield "result shape", relu(result=(5,)), "tflite-bad-operator", "declared with shape [5]"
    yield "result type", relu(out_dtype="float64"), "tflite-bad-operator", "declared as float64"
    yield "string input", relu(dtype="string"), "tflite-unsupported", "has type string"
    z = Tensor("z", [4])
    yield "not computed", chain(Operator(RELU, [z], [y]), inputs=[x]), "tflite-malformed", \
        "tensor 'z'"
    yield "computed twice", chain(Operator(RELU, [x], [y]), Operator(RELU, [x], [y])), \
        "tflite-malformed", "has a value already"
    yield "input twice", chain(Operator(RELU, [x], [y]), inputs=[x, x]), "tflite-malformed", \
        "is an input twice"
    yield "other options", chain(Operator(CONCATENATION, [x], [y], options(5, stride_w=1))), \
        "tflite-malformed", "options of another operator"
    short = Tensor("k", [4], data=bytes(12))
    yield "short data", chain(Operator(0, [x, short], [y])), "tflite-malformed", "needs 16 bytes"
    q = Tensor("q", [4], "int8", scale=[0.1, 0.2], zero=[0, 0], axis=0)
    yield "scale count", chain(Operator(RELU, [q], [Tensor("y", [4], "int8", 1.0)])), \
        "tflite-malformed", "2 scales for 4 positions"
    far = Tensor("q", [4], "int8", scale=0.1, zero=200)
    yield "zero point", chain(Operator(RELU, [far], [Tensor("y", [4], "int8", 1.0)])), \
        "tflite-malformed", "zero point 200"
    sides = Tensor("sides", [2], "int32", data=struct.pack("<2i", 1 << 30, 1))
    image = Tensor("x", [1, 1, 1, 1])
    yield "large image", chain(Operator(RESIZE_NEAREST, [image, sides],
                                        [Tensor("y", [1, 1 << 30, 1, 1])]), inputs=[image]), \
        "tflite-limit", "more than 65536 rows or columns"
    none = Tensor("q", [4], "int8", scale=0.0)
    yield "scale", chain(Operator(RELU, [none], [Tensor("y", [4], "int8", 1.0)])), \
        "tflite-malformed", "has the scale 0"
    both = [Tensor("x", [4]), Tensor("y", [4])]
    graph = Subgraph(both[:1], both[1:], [Operator(RELU, both[:1], both[1:])])
    names = [(key, 0, {"in": both[0]}, {"out": both[1]}) for key in ("run-a", "run_a")]
    yield "compression metadata", Model([graph], metadata=[("COMPRESSION_METADATA", bytes(8))]).write(), \
        "tflite-unsupported", "supported is the operator TFLM_DECODE"
    yield "signatures", Model([graph], names).write(), "tflite-malformed", "of one name"
    yield "axis", chain(Operator(CONCATENATION, [x], [y], options(10, axis=4))), \
        "tflite-bad-operator", "axis 4"
    places = Tensor("p", [1], "int32", data=bytes(4))
    yield "no result", chain(Operator(65, [x, places, places], []), outputs=[x]), \
        "tflite-bad-operator", "different numbers of dimensions"
    many = Tensor("m", [1] * 9)
    yield "rank", chain(Operator(RELU, [many], [Tensor("y", [1] * 9)])), "tflite-malformed", \
        "9 dimensions"
    huge = Tensor("h", [1 << 20, 1 << 20])
    yield "size", chain(Operator(RELU, [huge], [huge])), "tflite-malformed", "2^31"
    pair = Tensor("q", [4], "int8", [0.1] * 4, [0] * 4, 0)
    several = "4 scales along an axis; one scale is supported"
    out = Tensor("y", [4], "int8", 1.0)
    yield "scales of a sum", chain(Operator(0, [pair, pair], [out], options(11)), inputs=[pair]), \
        "tflite-unsupported", several
    yield "scales of a function", chain(Operator(RELU, [pair], [out])), "tflite-unsupported", several
    yield "scales of a quotient", chain(Operator(42, [pair, pair], [out], options(29)), inputs=[pair]), \
        "tflite-unsupported", several
    square = Tensor("q", [2, 2], "int8", [0.1] * 2, [0] * 2, 0)
    yield "scales of rows", chain(Operator(126, [square, square], [Tensor("y", [2, 2], "int8", 1.0)],
                                           options(101)), inputs=[square]), \
        "tflite-unsupported", "one for each column"
    yield from signals()
    yield from compressed()
    yield from recursion()
    yield from blocks()
    yield from random_and_complex()


def blocks():
    x = Tensor("x", [1, 4])

    def product(*scales, size=2, dtype="float16", code=9, shape=(2, 4), number=None):
        held = Tensor("s", [len(scales)], dtype, data=struct.pack("<%de" % len(scales), *scales)
                      if dtype == "float16" else bytes(4 * len(scales)))
        w = Tensor("w", shape, "int8", data=bytes(shape[0] * shape[1]),
                   blocks=(held if number is None else number, size))
        first = x if code == 9 else Tensor("x", [1], "int32")
        return chain(Operator(code, [first, w], [Tensor("y", [1, 2] if code == 9 else [1, 4])],
                              options(8) if code == 9 else None), inputs=[first])

    bad = "tflite-bad-operator"
    yield "block size", product(1, 1, 1, 1, size=0), bad, "blocks of 0 elements"
    yield "block size below 0", product(1, 1, 1, 1, size=-2), bad, "blocks of -2 elements"
    yield "parts of blocks", product(1, 1, 1, 1, size=3), bad, "do not fill the rows"
    yield "few scales", product(1, 1, 1), bad, "3 scales for 4 blocks"
    yield "scales of blocks", product(1, 1, 1, 1, number=99), bad, "are tensor 99 of"
    yield "no scales of blocks", product(1, 1, 1, 1, number=-1), bad, "are tensor -1 of"
    yield "type of scales", product(1, 1, 1, 1, dtype="int32"), "tflite-unsupported", \
        "scales of blocks in int32"
    yield "scales at run time", product(1, 1, 1, 1, number=0), "tflite-unsupported", \
        "scales of blocks in float32"
    yield "few scales of a table", product(1, code=7), bad, "1 scales for 4 blocks"
    held = Tensor("s", [4], "float16", data=bytes(8))
    w = Tensor("w", [2, 4], data=bytes(32), blocks=(held, 2))
    yield "blocks of reals", chain(Operator(9, [x, w], [Tensor("y", [1, 2])], options(8)), inputs=[x]), \
        "tflite-unsupported", "blocks of float32"
    w = Tensor("w", [2, 4], "int8", data=bytes(8), blocks=(held, 2))
    yield "blocks as a bias", chain(Operator(9, [x, w, w], [Tensor("y", [1, 2])], options(8)),
                                    inputs=[x]), "tflite-unsupported", "is quantized in blocks"
    bias = Tensor("b", [2], "int32", data=bytes(8))
    yield "bias of blocks", chain(Operator(9, [x, w, bias], [Tensor("y", [1, 2])], options(8)),
                                  inputs=[x]), bad, "2 numbers of float32"
    q = Tensor("q", [4], "int8", blocks=(0, 2))
    yield "blocks elsewhere", chain(Operator(RELU, [q], [Tensor("y", [4], "int8", 1.0)])), \
        "tflite-unsupported", "is quantized in blocks"


def random_and_complex():
    ints = lambda *values: Tensor("n", [len(values)], "int32", data=struct.pack("<%di" % len(values), *values))
    x, y = Tensor("x", [2, 4]), Tensor("y", [2, 3], "complex64")
    other, bad = "tflite-unsupported", "tflite-bad-operator"
    yield "length of a transform", chain(Operator(131, [x, ints(2, 3)], [y])), other, "3 samples"
    yield "negative length", chain(Operator(131, [x, ints(-2, 4)], [y])), other, "-2 samples"
    yield "one length", chain(Operator(131, [x, ints(4)], [y])), bad, "2 lengths"
    yield "long transform", chain(Operator(131, [x, ints(1, 1 << 30)], [y])), other, "powers of 2 up to"
    z = Tensor("x", [4], "complex64")
    yield "complex sum", chain(Operator(0, [z, z], [Tensor("y", [4], "complex64")], options(11)),
                               inputs=[z]), other, "has type complex64"
    yield "complex reshape", chain(Operator(22, [z], [Tensor("y", [8])]), inputs=[z]), bad, \
        "reshapes complex64 to float32"
    yield "real part of reals", chain(Operator(134, [x], [Tensor("y", [2, 4])])), other, \
        "complex64 is supported"
    shape, drawn = ints(2, 3), Tensor("y", [2, 3])
    seeded = options(114, seed=1)
    yield "no seed", chain(Operator(148, [shape], [drawn], options(114)), inputs=[]), other, \
        "without seeds"
    yield "no result of random numbers", chain(Operator(148, [shape], [], seeded), inputs=[shape], outputs=[shape]), \
        "tflite-bad-operator", "result 0 is missing"
    yield "other shape", chain(Operator(148, [ints(2, 4)], [drawn], seeded), inputs=[]), bad, \
        "does not have the shape"
    logits = Tensor("x", [2, 0])
    yield "no classes", chain(Operator(149, [logits, ints(3)], [Tensor("y", [2, 3], "int64")], seeded)), \
        bad, "rows of logits"
    yield "many samples", chain(Operator(149, [x, ints(1 << 30)], [Tensor("y", [2, 3], "int64")], seeded)), \
        bad, "a result of that size"
    state, bits = Tensor("x", [4], "uint64"), Tensor("y", [2], "uint32")
    yield "state of bits", chain(Operator(204, [state], [Tensor("z", [4], "uint64"), bits], options(-19)),
                                 outputs=[bits]), \
        bad, "2 or 3 uint64 numbers"
    pair = Tensor("x", [2], "uint64")
    after = Tensor("z", [2], "uint64")
    yield "algorithm", chain(Operator(204, [pair], [after, bits], options(-19, algorithm=7)),
                             inputs=[pair], outputs=[bits]), bad, "the number 7"
    yield "bits of a float", chain(Operator(204, [pair], [after, Tensor("y", [2])], options(-19)),
                                   inputs=[pair], outputs=[after]), other, "random bits of float32"
    windows = [Tensor("w", [2], "int64", data=struct.pack("<2q", a, a)) for a in (1, 1, 1)]
    start = Tensor("s", [], data=bytes(4))
    yield "window function", chain(Operator(205, [x, start] + windows, [Tensor("y", [2, 4])],
                                            options(-20, function=9)), inputs=[x]), bad, "the number 9"
    yield "conjunction of reals", chain(Operator(205, [x, start] + windows, [Tensor("y", [2, 4])],
                                                 options(-20, function=5)), inputs=[x]), other, \
        "bool is supported"


def signals():
    """Options and shapes of the operators of audio frames."""
    def model(name, shape, results, dtype="int16", **fields):
        x = Tensor("x", shape, dtype)
        outs = [Tensor("y%d" % k, s, t) for k, (s, t) in enumerate(results)]
        data = fields.pop("raw", None) or flexbuffer(fields)
        return chain(Operator(CUSTOM, [x], outs, custom=name, custom_options=data))

    frame, bad = [([1, 4], "int16"), ([], "bool")], "tflite-bad-operator"
    yield "framer options", model("SignalFramer", [2], frame, raw=b"\x20\x24\x04"), bad, \
        "malformed options"
    yield "framer step", model("SignalFramer", [2], frame, frame_size=4, frame_step=0,
                               prefill=True), bad, "frames of 4 samples start every 0 samples"
    yield "framer width", model("SignalFramer", [3], frame, frame_size=4, frame_step=2,
                                prefill=True), bad, "no multiple of the step of 2"
    yield "framer result", model("SignalFramer", [2], frame, frame_size=5, frame_step=2,
                                 prefill=True), bad, "has 4 elements; it computes 5"
    yield "framer results", model("SignalFramer", [2], frame[:1], frame_size=4, frame_step=2,
                                  prefill=True), bad, "1 results; it needs 2"
    yield "framer type", model("SignalFramer", [2], frame, "float32", frame_size=4, frame_step=2,
                               prefill=True), "tflite-unsupported", "int16 is supported"
    yield "stacker step", model("SignalStacker", [2], [([4], "int16"), ([], "bool")],
                                num_channels=2, stacker_left_context=1, stacker_right_context=0,
                                stacker_step=3), bad, "the step is 3; 1 to 2 are possible"
    yield "stacker context", model("SignalStacker", [2], [([4], "int16"), ([], "bool")],
                                   num_channels=2, stacker_left_context=2**31 - 1,
                                   stacker_right_context=0, stacker_step=1), bad, "are possible"
    yield "delay", model("SignalDelay", [2], [([2], "int16")], delay_length=2**31 - 1), bad, \
        "it delays 1 rows by 2147483647 samples"
    yield "overlap step", model("SignalOverlapAdd", [1, 4], [([5], "int16")], T=7,
                                frame_step=5), bad, "the step is 5; 1 to 4 are possible"
    yield "overlap rank", model("SignalOverlapAdd", [4], [([4], "int16")], T=7, frame_step=4), bad, \
        "no dimension of frames"
    yield "inverse width", model("SignalIrfft", [8], [([8], "int16")], T=7, fft_length=8), bad, \
        "takes 10"
    yield "transform width", model("SignalRfft", [9], [([10], "int16")], T=7, fft_length=8), bad, \
        "takes up to 8"
    yield "transform length", model("SignalRfft", [6], [([8], "int16")], T=7, fft_length=6), \
        "tflite-unsupported", "powers of 2"


def compressed():
    """Data that TFLM_DECODE decompresses."""
    def model(encoded, description, dtype="int8", scale=None, axis=None):
        inputs = [Tensor("e", [len(encoded)], "uint8", data=encoded),
                  Tensor("d", [len(description)], "uint8", data=description)]
        y = Tensor("y", [2, 2, 2], dtype, scale, None, axis)
        return chain(Operator(CUSTOM, inputs, [y], custom="TFLM_DECODE"), inputs=[])

    head = lambda kind, parameters=0, stride=0, version=1: \
        bytes([kind, version, 0, 0, 1, parameters, stride]) + bytes(9)
    bad = "tflite-bad-operator"
    yield "short header", model(bytes(8), bytes(15)), bad, "less than 16 bytes"
    yield "compression", model(bytes(8), head(127)), "tflite-unsupported", "has compression 127"
    yield "version", model(bytes(8), head(0, version=2)), "tflite-unsupported", "version 2.1"
    yield "index bits", model(bytes(8), head(0, 0, 1) + bytes(4)), bad, "indices of 0 bits"
    yield "few indices", model(bytes(1), head(0, 2, 4) + bytes(4)), bad, "too few indices"
    yield "index", model(b"\xff" * 2, head(0, 2, 4) + bytes(3)), bad, "outside of its table"
    yield "few values", model(b"\xff", head(2) + bytes(7)), bad, "too few values"
    yield "code", model(b"\xff" * 4, head(1, 0x10) + bytes(2)), bad, "code that its tables"
    yield "endless code", model(b"\0" * 4, head(1, 0) + bytes(4)), bad, "end too early"
    yield "Huffman type", model(bytes(4), head(1, 0) + bytes(4), "int32"), "tflite-unsupported", \
        "Huffman code and type int32"
    yield "middle axis", model(bytes(2), head(0, 2, 4) + bytes(8), scale=[1, 1], axis=1), \
        "tflite-unsupported", "the first and the last axis"


def recursion():
    """A subgraph that calls itself, and subgraphs that each call the next one twice."""
    def caller(number, true):
        x, y, z = Tensor("x", [4]), Tensor("y", [4]), Tensor("z", [4])
        both = options(92, then_subgraph=number, else_subgraph=number)
        return Subgraph([x], [z], [Operator(IF, [true, x], [y], both),
                                   Operator(IF, [true, y], [z], both)])
    true = Tensor("true", [], "bool", data=b"\1")
    yield "recursion", Model([caller(1, true), caller(1, true)]).write(), "tflite-malformed", \
        "calls itself"
    x, y = Tensor("x", [4]), Tensor("y", [4])
    chain_of_calls = [caller(k + 1, true) for k in range(40)]
    last = Subgraph([x], [y], [Operator(RELU, [x], [y])])
    yield "doubling", Model(chain_of_calls + [last]).write(), "tflite-limit", "1000 times"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("lathe")
    arguments = parser.parse_args()
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.tflite")
        for name, data, code, part in cases():
            total += 1
            path.write_bytes(data)
            made = subprocess.run([arguments.lathe, "check", str(path)], capture_output=True,
                                  text=True, timeout=60)
            if made.returncode != EXIT_CODES[code] or code not in made.stderr or \
                    part not in made.stderr:
                failed += 1
                print(f"{name}: expected {code} with '{part}', got exit code {made.returncode}:\n"
                      f"{made.stderr}")
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
