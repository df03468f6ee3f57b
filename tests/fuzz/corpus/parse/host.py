import numpy as np, tvm.testing as t
from ..a.b import (c as d, e,)
from . import *

try:
    x = [i ** 2 for i in range(3) if i if i > 1]
except (A, B) as e:
    raise C from e
else:
    del x, y[0]
finally:
    global z
match x, y:
    case [1, *_] if z:
        pass
    case {"k": v, **rest}: print(f"{v!r:>{w}}" 'a' "b")
async def g(*args, k=1, **kw): await h(*args, **kw)
with (open(a) as b, c): d = {1: 2, **e}; s = {1, *t}; y = (yield)
type P = int
if (n := 3) is not None: u @= v if w else lambda a, /, b=1, *, c: (a, b)
