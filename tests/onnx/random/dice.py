"""Random choices for generators of single nodes."""
import numpy as np


class Dice:
    def __init__(self, seed):
        self.r = np.random.RandomState(seed)

    def pick(self, items):
        return items[self.r.randint(len(items))]

    def chance(self, p):
        return self.r.rand() < p

    def size(self, low=1, high=6):
        return int(self.r.randint(low, high + 1))

    def shape(self, low=1, high=4):
        return [self.size() for _ in range(self.size(low, high))]

    def real(self, *dims):
        return self.r.standard_normal(dims).astype(np.float32)

    def whole(self, dtype, *dims):
        info = np.iinfo(dtype)
        return self.r.randint(info.min, info.max + 1, dims).astype(dtype)

    def scale(self, *dims):
        return self.r.uniform(0.01, 0.06, dims).astype(np.float32)

    def zero(self, dtype, *dims):
        low, high = (100, 156) if dtype == np.uint8 else (-20, 20)
        return self.r.randint(low, high, dims).astype(dtype)

    def maybe(self, p, value):
        return value if self.chance(p) else None

    def broadcast(self, shape):
        out = [1 if self.chance(0.25) else d for d in shape]
        return out[self.r.randint(0, len(out)):] if self.chance(0.3) else out


class Node:
    """`free`: the inputs that may be inputs of the model; others are initializers.

    `outputs`: their number, or the places of those that are not left out.
    """

    def __init__(self, inputs, outputs=1, free=(0,), domain="com.microsoft", **attributes):
        self.inputs, self.outputs, self.free, self.domain = inputs, outputs, set(free), domain
        self.attributes = {k: v for k, v in attributes.items() if v is not None}
