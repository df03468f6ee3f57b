#!/usr/bin/env python3
"""Writes keyword.tflite: from 20 ms of microphone samples to the scores of two whistled words.

The first part is the audio front end of TFLite Micro: frames, window, transform, energy, filter bank
and logarithm. The second part is a recurrent layer that looks at the last 0.4 s. Its weights are
chosen by hand: a word is a tone that rises or falls. Needs nothing but Python.

    make_model.py keyword.tflite
"""
import math
import struct
import sys
from pathlib import Path

from tflite_file import CUSTOM, Operator, Tensor, flexbuffer, ints, model_file

RATE, STEP, FRAME, LENGTH = 16000, 320, 480, 512
CHANNELS, MEMORY = 16, 20
LOWEST, HIGHEST = 250.0, 4000.0
# Numbers of the operators and of their options.
QUANTIZE, RESHAPE, SVDF, FULLY_CONNECTED, SOFTMAX = (114, 89), (22, 17), (27, 6), (9, 8), (25, 9)


def numbers(form, values):
    return struct.pack("<%d%s" % (len(values), form), *(round(v) for v in values))


def signal(name, inputs, outputs, **fields):
    return Operator(CUSTOM, inputs, outputs, custom=name, custom_options=flexbuffer(fields))


def builtin(operator, inputs, outputs, **slots):
    """`slots` are named by their numbers: s0=..."""
    code, union = operator
    return Operator(code, inputs, outputs, (union, {int(k[1:]): v for k, v in slots.items()}))


def mel(hertz):
    return 1127 * math.log(1 + hertz / 700)


def filter_bank():
    """Triangles at equal distances of pitch, as the filter bank of TFLite Micro stores them: the bands
    between their peaks, and the part of each bin that belongs to the lower and to the upper triangle."""
    low, high = mel(LOWEST), mel(HIGHEST)
    edges = [low + (high - low) * i / (CHANNELS + 1) for i in range(CHANNELS + 2)]
    bins = [round(700 * (math.exp(e / 1127) - 1) * LENGTH / RATE) for e in edges]
    starts, widths, firsts, upper, lower = [], [], [], [], []
    for first, last in zip(bins, bins[1:]):
        starts.append(first)
        widths.append(last - first)
        firsts.append(len(upper))
        for k in range(first, last):
            part = (k - first) / (last - first)
            lower.append(4096 * (1 - part))
            upper.append(4096 * part)
    return bins, [numbers("h", v) for v in (lower, upper, starts, firsts, widths)]


def constant(name, shape, dtype, data, scale=None):
    return Tensor(name, shape, dtype, scale, data=data)


def front_end():
    """Operators from samples to the logarithms of the channels."""
    samples = Tensor("samples", [STEP], "int16")
    frames, valid = Tensor("frames", [1, FRAME], "int16"), Tensor("valid", [], "bool")
    shaped, row = Tensor("shaped", [1, FRAME], "int16"), Tensor("row", [FRAME], "int16")
    loud = Tensor("loud", [FRAME], "int16")
    bits = Tensor("scale_bits", [], "int32")
    spectrum = Tensor("spectrum", [LENGTH + 2], "int16")
    energy = Tensor("energy", [LENGTH // 2 + 1], "uint32")
    channels = Tensor("channels", [CHANNELS], "uint64")
    roots = Tensor("roots", [CHANNELS], "uint32")
    logs = Tensor("logs", [CHANNELS], "int16", 1.0, 0)
    hann = [4096 * (0.5 - 0.5 * math.cos(2 * math.pi * i / FRAME)) for i in range(FRAME)]
    bins, parts = filter_bank()
    names = ["lower", "upper", "starts", "firsts", "widths"]
    bank = [constant(n, [len(p) // 2], "int16", p) for n, p in zip(names, parts)]
    return samples, logs, [
        signal("SignalFramer", [samples], [frames, valid], frame_size=FRAME, frame_step=STEP,
               prefill=1),
        signal("SignalWindow", [frames, constant("hann", [FRAME], "int16", numbers("h", hann))],
               [shaped], shift=12),
        builtin(RESHAPE, [shaped], [row], s0=ints([FRAME])),
        signal("SignalFftAutoScale", [row], [loud, bits]),
        signal("SignalRfft", [loud], [spectrum], T=7, fft_length=LENGTH),
        signal("SignalEnergy", [spectrum], [energy], start_index=bins[0], end_index=bins[-1]),
        signal("SignalFilterBank", [energy, *bank], [channels], num_channels=CHANNELS),
        signal("SignalFilterBankSquareRoot", [channels, bits], [roots]),
        signal("SignalFilterBankLog", [roots], [logs], output_scale=1600, input_correction_bits=3),
    ]


def classifier(logs):
    """Operators from logarithms to scores. The state is the last 0.4 s of two features: how high the
    tone is, and how loud; they are weighted by a ramp in time, and averaged."""
    levels = Tensor("levels", [1, CHANNELS], "int8", 104.0, -128)
    quantized = Tensor("quantized", [CHANNELS], "int8", 104.0, -128)
    middle = (CHANNELS - 1) / 2
    height = [127 * (ch - middle) / middle for ch in range(CHANNELS)]
    ramp = [32767 * (2 * t / (MEMORY - 1) - 1) for t in range(MEMORY)]
    features = constant("features", [2, CHANNELS], "int8",
                        numbers("b", height + [127] * CHANNELS), 1 / 127)
    times = constant("times", [2, MEMORY], "int16", numbers("h", ramp + [32767] * MEMORY),
                     1 / 32767)
    state_scale = 4.0
    state = Tensor("state", [1, 2 * MEMORY], "int16", state_scale, 0, variable=True)
    none = constant("none", [2], "int32", numbers("i", [0, 0]), state_scale / 32767)
    summary = Tensor("summary", [1, 2], "int8", 2400.0, 0)
    # Words: silence, up, down. Each needs a change of height; silence needs none.
    weights = constant("weights", [3, 2], "int8", numbers("b", [0, 0, 100, 0, -100, 0]), 1e-5)
    bias = constant("bias", [3], "int32", numbers("i", [0, -5500, -5500]), 2400.0 * 1e-5)
    logits = Tensor("logits", [1, 3], "int8", 0.5, 0)
    scores = Tensor("scores", [1, 3], "int8", 1 / 256, -128)
    return scores, [
        builtin(QUANTIZE, [logs], [quantized]),
        builtin(RESHAPE, [quantized], [levels], s0=ints([1, CHANNELS])),
        builtin(SVDF, [levels, features, times, none, state], [summary], s0=("i", 1)),
        builtin(FULLY_CONNECTED, [summary, weights, bias], [logits]),
        builtin(SOFTMAX, [logits], [scores], s0=("f", 1.0)),
    ]


def main():
    samples, logs, first = front_end()
    scores, second = classifier(logs)
    Path(sys.argv[1]).write_bytes(model_file([samples], [scores], first + second))


if __name__ == "__main__":
    main()
