"""Writes FlexBuffer maps of numbers, as the options of custom operators are:

    data = flexbuffer({"frame_size": 400, "prefill": True, "scale": 0.5})
"""
import struct

INT, FLOAT, MAP, BOOL = 1, 3, 9, 26
WIDTH_4 = 2  # the logarithm of 4 bytes


def flexbuffer(values):
    data = bytearray()
    places = []
    names = sorted(values)  # readers search for keys
    for name in names:
        places.append(len(data))
        data += name.encode() + b"\0"
    data += bytes(-len(data) % 4)
    data += struct.pack("<I", len(names))
    keys = len(data)
    for place in places:
        data += struct.pack("<I", len(data) - place)
    data += struct.pack("<III", len(data) - keys, 4, len(names))
    start = len(data)
    types = bytearray()
    for name in names:
        value = values[name]
        if isinstance(value, bool):
            data += struct.pack("<I", value)
            types.append(BOOL << 2 | WIDTH_4)
        elif isinstance(value, int):
            data += struct.pack("<i", value)
            types.append(INT << 2 | WIDTH_4)
        else:
            data += struct.pack("<f", value)
            types.append(FLOAT << 2 | WIDTH_4)
    data += types
    data += bytes(-len(data) % 4)
    data += struct.pack("<I", len(data) - start)
    return bytes(data + bytes([MAP << 2 | WIDTH_4, 4]))
