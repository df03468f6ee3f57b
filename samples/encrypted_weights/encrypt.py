"""Encrypts a file of weights with ChaCha20: encrypt.py KEY FILE > ENCRYPTED

KEY has 64 hexadecimal digits. Needs nothing but Python. A product would use a nonce of its own for each file.
"""
import struct
import sys

WORD = 0xFFFFFFFF


def rotate(x, n):
    return (x << n | x >> (32 - n)) & WORD


def quarter(s, a, b, c, d):
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & WORD
        s[z] = rotate(s[z] ^ s[x], turn)


def stream_block(key, counter):
    start = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key)) + [counter, 0, 0, 0]
    s = list(start)
    for _ in range(10):
        for i in range(4):
            quarter(s, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16I", *((x + y) & WORD for x, y in zip(s, start)))


def encrypted(key, data):
    out = bytearray(data)
    for at in range(0, len(out), 64):
        for i, byte in enumerate(stream_block(key, at // 64)[:len(out) - at]):
            out[at + i] ^= byte
    return bytes(out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2], "rb") as file:
        sys.stdout.buffer.write(encrypted(bytes.fromhex(sys.argv[1]), file.read()))


if __name__ == "__main__":
    main()
