"""What `lathe run -o` wrote: arrays in an .npz file, read and compared."""
import ast
import math
import struct
import zipfile

CODES = {"f8": "d", "f4": "f", "f2": "e", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u8": "Q",
         "u4": "I", "u2": "H", "u1": "B", "b1": "?"}
PART = 1 << 16  # elements that are compared at a time


def read_npy(file):
    """An array: its dtype as NumPy spells it, its shape, where in the bytes its elements start."""
    wide = file[6] > 1
    length = struct.unpack_from("<I" if wide else "<H", file, 8)[0]
    start = (12 if wide else 10) + length
    header = ast.literal_eval(file[start - length:start].decode())
    return {"kind": "array", "dtype": header["descr"], "shape": list(header["shape"]),
            "file": file, "start": start}


def read_result(path):
    """The results, tuples in tuples: arrays are named result, or result.0, result.1.0, ... None when
    one has elements of a format that is not known here."""
    root = {"kind": "tuple", "fields": []}
    with zipfile.ZipFile(path) as members:
        for name in members.namelist():
            array = read_npy(members.read(name))
            if array["dtype"][1:] not in CODES:
                return None
            places = [int(part) for part in name.removesuffix(".npy").split(".")[1:]]
            if not places:
                return array
            node = root
            for depth, place in enumerate(places):
                fields = node["fields"]
                while len(fields) <= place:
                    fields.append({"kind": "tuple", "fields": []})
                if depth + 1 == len(places):
                    fields[place] = array
                node = fields[place]
    return root


def close(x, y, tolerance):
    if not (isinstance(x, float) and isinstance(y, (float, int))):
        return False
    return (math.isnan(x) and math.isnan(y)) or abs(x - y) <= tolerance * (1 + abs(x))


def difference(a, b, tolerance):
    """Where and how two arrays differ, or None."""
    if a["dtype"] != b["dtype"]:
        return f"{a['dtype']} and {b['dtype']}"
    if a["shape"] != b["shape"]:
        return f"shapes {a['shape']} and {b['shape']}"
    left, right = (memoryview(x["file"])[x["start"]:] for x in (a, b))
    if left == right:
        return None
    code = CODES[a["dtype"][1:]]
    size = struct.calcsize(code)
    for at in range(0, len(left), PART * size):
        parts = [x[at:at + PART * size] for x in (left, right)]
        if parts[0] == parts[1]:
            continue
        values = [struct.unpack(f"<{len(p) // size}{code}", p) for p in parts]
        for n, (x, y) in enumerate(zip(*values)):
            if x != y and not close(x, y, tolerance):
                return f"element {at // size + n}: {x} and {y}"
    return None
