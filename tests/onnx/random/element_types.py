"""Element types of ONNX: their published numbers, and lists of Python numbers as their bytes."""
import struct

NUMBERS = {
    "float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7,
    "string": 8, "bool": 9, "float16": 10, "double": 11, "uint32": 12, "uint64": 13,
    "bfloat16": 16,
}
FLOATS = ("float", "double", "float16", "bfloat16")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
ALL = FLOATS + INTEGERS + ("bool",)
BITS = {"float": 32, "double": 64, "float16": 16, "bfloat16": 16, "bool": 8}
BITS.update({name: int("".join(c for c in name if c.isdigit())) for name in INTEGERS})

CODES = {"float": "f", "double": "d", "float16": "e", "int8": "b", "int16": "h", "int32": "i",
         "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q", "bool": "?"}


def bfloat16_bits(value):
    """The nearest bfloat16, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if value != value:
        return 0x7FC0
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def pack(dtype, values):
    if dtype == "bfloat16":
        return struct.pack("<%dH" % len(values), *(bfloat16_bits(v) for v in values))
    return struct.pack("<%d%s" % (len(values), CODES[dtype]), *values)


def unpack(dtype, data):
    if dtype == "bfloat16":
        words = struct.unpack("<%dH" % (len(data) // 2), data)
        return [struct.unpack("<f", struct.pack("<I", w << 16))[0] for w in words]
    code = CODES[dtype]
    return list(struct.unpack("<%d%s" % (len(data) // struct.calcsize("<" + code), code), data))


def limits(dtype):
    if dtype == "bool":
        return 0, 1
    bits = BITS[dtype]
    return (0, (1 << bits) - 1) if dtype in UNSIGNED else (-(1 << bits - 1), (1 << bits - 1) - 1)
