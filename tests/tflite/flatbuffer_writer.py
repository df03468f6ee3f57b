"""Writes FlatBuffers: tables of slots, vectors, strings.

    table = Table({0: ("u32", 3), 2: [Table(...), Table(...)], 3: "text", 4: Vector("i32", [1, 2])})
    data = finish(table, b"TFL3")

A scalar is a pair of its type and value. Objects are laid out in one pass, front to back: a table,
then what it points to.
"""
import struct

SCALARS = {"bool": "?", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I",
           "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}


class Vector:
    def __init__(self, scalar, values):
        self.scalar = scalar
        self.values = list(values) if not isinstance(values, (bytes, bytearray)) else values


class Table:
    def __init__(self, fields=None):
        self.fields = {k: v for k, v in (fields or {}).items() if v is not None}


class Writer:
    def __init__(self):
        self.data = bytearray()

    def align(self, size, extra=0):
        while (len(self.data) + extra) % size:
            self.data.append(0)

    def patch(self, at, target):
        struct.pack_into("<I", self.data, at, target - at)

    def put(self, value):
        """Appends an object and returns its position."""
        if isinstance(value, Table):
            return self.put_table(value)
        if isinstance(value, str):
            value = value.encode()
            self.align(4)
            at = len(self.data)
            self.data += struct.pack("<I", len(value)) + value + b"\0"
            return at
        if isinstance(value, Vector):
            return self.put_vector(value)
        self.align(4)
        at = len(self.data)
        self.data += struct.pack("<I", len(value)) + bytes(4 * len(value))
        for i, item in enumerate(value):
            self.patch(at + 4 + 4 * i, self.put(item))
        return at

    def put_vector(self, vector):
        code = SCALARS[vector.scalar]
        size = struct.calcsize(code)
        # The elements of buffers are aligned like those of TFLite's own writer.
        self.align(16 if vector.scalar == "u8" else max(4, size), 4)
        at = len(self.data)
        self.data += struct.pack("<I", len(vector.values))
        if isinstance(vector.values, (bytes, bytearray)):
            self.data += vector.values
        else:
            self.data += struct.pack("<%d%s" % (len(vector.values), code), *vector.values)
        return at

    def put_table(self, table):
        slots = max(table.fields, default=-1) + 1
        self.align(2)
        vtable = len(self.data)
        self.data += bytes(4 + 2 * slots)
        self.align(8)
        at = len(self.data)
        self.data += struct.pack("<i", at - vtable)
        pointers = []
        for slot in sorted(table.fields):
            value = table.fields[slot]
            if isinstance(value, tuple):
                packed = struct.pack("<" + SCALARS[value[0]], value[1])
            else:
                packed = bytes(4)
            self.align(len(packed))
            struct.pack_into("<H", self.data, vtable + 4 + 2 * slot, len(self.data) - at)
            if not isinstance(value, tuple):
                pointers.append((len(self.data), value))
            self.data += packed
        struct.pack_into("<HH", self.data, vtable, 4 + 2 * slots, len(self.data) - at)
        for place, value in pointers:
            self.patch(place, self.put(value))
        return at


def finish(root, identifier):
    writer = Writer()
    writer.data += bytes(4) + identifier
    root_at = writer.put(root)
    struct.pack_into("<I", writer.data, 0, root_at)
    return bytes(writer.data)
