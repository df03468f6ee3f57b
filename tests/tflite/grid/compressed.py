"""Cases of TFLM_DECODE: tables of values, masks of values that are not zero, Huffman codes."""
import heapq
import struct

from grid.maker import CODES, Case, count, packed
from model_writer import Tensor

CUSTOM = 32


def bits_of(texts):
    """Bytes of a text of 0 and 1, padded to words of 32 bits."""
    text = "".join(texts)
    text += "0" * (-len(text) % 32)
    return int(text or "0", 2).to_bytes(len(text) // 8, "big")


def header(kind, parameters=0, stride=0):
    return bytes([kind, 1, 0, 0, 1, parameters, stride]) + bytes(9)


def case_of(m, shape, dtype, encoded, description, scale=None, zero=None, axis=None):
    constant = lambda name, data: Tensor(name, [len(data)], "uint8", data=data)
    y = Tensor("y1", shape, dtype, scale, zero, axis)
    case = Case(CUSTOM, [constant("x1", encoded), constant("x2", description)], [y])
    case.operator.custom = "TFLM_DECODE"
    return case


def channels_of(m, shape, dtype):
    """The number of scales, the axis, the scales, and the channel of each element."""
    n = count(shape)
    kind = m.integer(0, 2) if dtype != "float32" else 0
    if kind == 0:
        return 1, None, None, [0] * n
    axis = 0 if kind == 1 else len(shape) - 1
    channels = shape[axis]
    inner = n // channels
    order = [i % channels if axis else i // inner for i in range(n)]
    return channels, axis, [m.scale() for _ in range(channels)], order


def look_up(m):
    shape, dtype = m.shape(2, 3), m.pick(["int8", "int8", "int16", "int32", "float32"])
    channels, axis, scales, order = channels_of(m, shape, dtype)
    bits = m.integer(1, 7)
    stride = m.integer(1, min(2**bits, 100))
    table = packed(dtype, m.elements(dtype, channels * stride))
    indices = [format(m.integer(0, stride - 1), "0%db" % bits) for _ in order]
    zeros = None if scales is None else [0] * channels
    return case_of(m, shape, dtype, bits_of(indices), header(0, bits, stride) + table, scales,
                   zeros, axis)


def pruned(m):
    shape, dtype = m.shape(2, 3), m.pick(["int8", "int8", "int16", "int32", "float32"])
    channels, axis, scales, order = channels_of(m, shape, dtype)
    mask = [m.integer(0, 1) for _ in order]
    zeros = None
    if scales is not None:
        zeros = [m.zero("int8") if dtype == "int8" else 0 for _ in range(channels)]
    values = packed(dtype, m.elements(dtype, max(1, sum(mask))))
    return case_of(m, shape, dtype, bits_of(map(str, mask)), header(2) + values, scales, zeros, axis)


def huffman_codes(frequencies):
    heap = [(n, i, {symbol: ""}) for i, (symbol, n) in enumerate(sorted(frequencies.items()))]
    if len(heap) == 1:
        return {symbol: "0" for symbol in frequencies}
    heapq.heapify(heap)
    made = len(heap)
    while len(heap) > 1:
        n, _, low = heapq.heappop(heap)
        k, _, high = heapq.heappop(heap)
        both = {s: "0" + code for s, code in low.items()}
        both.update({s: "1" + code for s, code in high.items()})
        heapq.heappush(heap, (n + k, made, both))
        made += 1
    return heap[0][2]


def huffman(m):
    """Tables that are looked up with few bits at a time, so that long codes need several."""
    dtype = m.pick(["int8", "int16"])
    wide = dtype == "int16" or m.chance()
    shape = m.shape(1, 3, 8)
    low, high = (-128, 127) if dtype == "int8" else (-32768, 32767)
    symbols = [m.integer(low, high) for _ in range(m.integer(1, 12))]
    values = [m.pick(symbols[:m.integer(1, len(symbols))]) for _ in range(count(shape))]
    codes = huffman_codes({v: values.count(v) for v in values})
    step = m.integer(2, 4)
    found, many, most = (31, 27, 0xFFFF) if wide else (15, 11, 0xFF)
    tables = []

    def fill(prefix):
        """Writes the table of the codes behind a prefix, and returns where it begins."""
        start = len(tables)
        tables.extend([0] * 2**step)
        for index in range(2**step):
            bits = format(index, "0%db" % step)
            inside = [(s, c[len(prefix):]) for s, c in codes.items() if c.startswith(prefix)]
            ends = [(s, c) for s, c in inside if c and bits.startswith(c)]
            if ends:
                symbol, code = ends[0]
                tables[start + index] = 1 << found | len(code) << many | symbol & most
            elif any(c.startswith(bits) for _, c in inside):
                # The offset counts from this entry.
                tables[start + index] = (step - 1) << many | (fill(prefix + bits) - start - index)
        return start

    fill("")
    data = struct.pack("<%d%s" % (len(tables), CODES["uint32" if wide else "uint16"]), *tables)
    parameters = (1 if wide else 0) | (step - 1) << 4
    return case_of(m, shape, dtype, bits_of(codes[v] for v in values), header(1, parameters) + data)


FAMILIES = {"DECODE_TABLE": look_up, "DECODE_MASK": pruned, "DECODE_HUFFMAN": huffman}
