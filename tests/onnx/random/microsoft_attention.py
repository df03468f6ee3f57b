"""Attention operators of com.microsoft with random operands."""
import numpy as np

from dice import Node


def rotary(d):
    heads, size, batch, length = d.size(1, 3), 2 * d.size(1, 4), d.size(1, 3), d.size()
    rank4 = d.chance(0.4)
    shape = (batch, heads, length, size) if rank4 else (batch, length, heads * size)
    part = d.chance(.3) and size > 2
    width = size - 2 if part else size
    places = (d.r.randint(0, 10, (batch, length)) if d.chance(.5) else d.r.randint(0, 4, 1)).astype(np.int64)
    cache = (10, width // 2)
    angles = d.r.uniform(-2, 2, cache)
    return Node([d.real(*shape), places, np.cos(angles).astype(np.float32),
                 np.sin(angles).astype(np.float32)], interleaved=d.pick((None, 0, 1)),
                num_heads=heads if part or d.chance(.5) else None,
                rotary_embedding_dim=width if part else None, free=(0, 1))


def attention(d):
    heads, size, batch, length, width = d.size(1, 3), 4, d.size(1, 3), d.size(), 8
    past = d.maybe(.3, d.real(2, batch, heads, d.size(), size))
    total = length + (past.shape[3] if past is not None else 0)
    masks = [None, d.r.randint(1, total + 1, batch).astype(np.int32),
             (d.r.rand(batch, total) > .3).astype(np.int32),
             (d.r.rand(batch, length, total) > .3).astype(np.int32)]
    sizes = d.maybe(.2, [heads * size, heads * size, heads * 6]) if past is None else None
    columns = sum(sizes) if sizes else 3 * heads * size
    bias = d.maybe(.3, d.real(d.pick((1, batch)), d.pick((1, heads)), length, total))
    return Node([d.real(batch, length, width), d.real(width, columns), d.real(columns), d.pick(masks),
                 past, bias], outputs=2 if past is not None or d.chance(.2) and not sizes else 1, num_heads=heads,
                unidirectional=d.pick((None, 0, 1)), qkv_hidden_sizes=sizes, scale=d.pick((None, .3)),
                mask_filter_value=d.maybe(.2, -100.0), free=(0, 3, 4, 5))


def q_attention(d):
    heads, size, batch, length, width = d.size(1, 3), 4, d.size(1, 3), d.size(), 8
    ta, tb = np.uint8, d.pick((np.uint8, np.int8))
    past = d.maybe(.3, d.real(2, batch, heads, d.size(), size))
    total = length + (past.shape[3] if past is not None else 0)
    mask = d.pick((None, d.r.randint(1, total + 1, batch).astype(np.int32),
                   (d.r.rand(batch, total) > .3).astype(np.int32)))
    columns = 3 * heads * size
    scale = d.scale(columns) if d.chance(.3) else d.scale()
    return Node([d.whole(ta, batch, length, width), d.whole(tb, width, columns), d.real(columns),
                 d.scale(), scale, mask, d.zero(ta), d.zero(tb, *scale.shape), past],
                outputs=2 if past is not None else 1, num_heads=heads,
                unidirectional=d.pick((None, 0, 1)), free=(0, 5, 8))


def multi_head(d):
    heads, size, batch, length = d.size(1, 3), 8, d.size(1, 3), d.size()
    width, form = heads * size, d.pick(("separate", "separate", "separate", "kv", "qkv", "cross"))
    v_size = d.pick((size, size, 4))
    keys = length if form in ("qkv",) or d.chance(.5) else d.size()
    past = d.size() if form == "separate" and d.chance(.4) else 0
    total = keys + past
    bias = d.maybe(.4, d.real(2 * width + heads * v_size)) if form == "separate" else None
    mask = d.pick((None, None, d.r.randint(1, total + 1, batch).astype(np.int32),
                   (d.r.rand(batch, total) > .3).astype(np.int32),
                   (d.r.rand(batch, length, total) > .3).astype(np.int32)))
    scores = d.maybe(.3, d.real(d.pick((1, batch)), d.pick((1, heads)), length, total))
    q = d.real(batch, length, width)
    k, v = d.real(batch, keys, width), d.real(batch, keys, heads * v_size)
    if form == "kv":
        k, v = d.real(batch, keys, heads, 2, size), None
    elif form == "qkv":
        q, k, v = d.real(batch, length, heads, 3, size), None, None
    elif form == "cross":
        k, v = d.real(batch, heads, keys, size), d.real(batch, heads, keys, v_size)
    cache = [d.real(batch, heads, past, size), d.real(batch, heads, past, v_size)] if past else [None] * 2
    presents = past or (form == "separate" and d.chance(.2))
    return Node([q, k, v, bias, mask, scores] + cache, outputs=3 if presents else 1,
                num_heads=heads, unidirectional=d.pick((None, 0, 1)), scale=d.pick((None, .3)),
                mask_filter_value=d.maybe(.2, -100.0), free=range(8))


def group_query(d):
    groups, kv, size, batch = d.size(1, 3), d.size(1, 2), 16, d.size(1, 2)
    heads, prompt = groups * kv, d.chance(.5)
    length = d.size(1, 5) if prompt else 1
    packed, rotates = d.chance(.3), d.chance(.4)
    cached = 0 if prompt else d.size(2, 6)
    lengths = (d.r.randint(0, length, batch) if prompt else d.r.randint(0, cached, batch)).astype(np.int32)
    if prompt and batch == 1:
        lengths[:] = length - 1
    total = length if prompt else int(lengths.max()) + 1
    if prompt:
        lengths[d.r.randint(batch)] = length - 1
    q = d.real(batch, length, (heads + 2 * kv) * size) if packed else d.real(batch, length, heads * size)
    k, v = (None, None) if packed else (d.real(batch, length, kv * size), d.real(batch, length, kv * size))
    past = [None, None] if not cached else [d.real(batch, kv, cached, size), d.real(batch, kv, cached, size)]
    angles = d.r.uniform(-2, 2, (16, size // 2))
    cache = [np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)] if rotates else [None, None]
    places = None
    bias = d.maybe(.2, d.real(d.pick((1, batch)), d.pick((1, heads)), length, total))
    sink = d.maybe(.2, d.real(heads))
    inputs = [q, k, v] + past + [lengths, np.array(total, np.int32)] + cache + [places, bias, sink]
    return Node(inputs, outputs=3, num_heads=heads, kv_num_heads=kv, do_rotary=int(rotates),
                rotary_interleaved=d.maybe(.4, 1) if rotates else None, scale=d.pick((None, .3)),
                softcap=d.maybe(.2, 2.0), local_window_size=d.maybe(.2, d.size(1, 4)),
                smooth_softmax=d.maybe(.2, 1) if sink is None else None, free=(0, 1, 2, 3, 4, 5, 10))


OPS = {
    "RotaryEmbedding": rotary, "Attention": attention, "QAttention": q_attention,
    "MultiHeadAttention": multi_head, "GroupQueryAttention": group_query,
}
