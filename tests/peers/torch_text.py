"""Language networks of export_torch.py."""
import torch
from torch import nn
from torch.nn import functional as F


class RMSNorm(nn.Module):
    def __init__(self, width, more=0.0):
        super().__init__()
        self.weight, self.more = nn.Parameter(torch.randn(width) * 0.1 + 1 - more), more

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * (self.weight + self.more)


def rotate(x, cosines, sines):
    a, b = x.chunk(2, -1)
    return x * cosines + torch.cat([-b, a], -1) * sines


class Attention(nn.Module):
    """Grouped queries with rotated positions and a cache."""

    def __init__(self, width, heads, groups, bias, norm=False, cap=0.0):
        super().__init__()
        self.heads, self.groups, self.size, self.cap = heads, groups, width // heads, cap
        self.q = nn.Linear(width, width, bias=bias)
        self.k, self.v = (nn.Linear(width, groups * self.size, bias=bias) for _ in range(2))
        self.out = nn.Linear(width, width, bias=False)
        self.norms = nn.ModuleList([RMSNorm(self.size), RMSNorm(self.size)]) if norm else None

    def forward(self, x, past_k, past_v):
        n, length, _ = x.shape
        split = lambda y, heads: y.view(n, length, heads, self.size).transpose(1, 2)
        q, k, v = split(self.q(x), self.heads), split(self.k(x), self.groups), split(self.v(x), self.groups)
        if self.norms:
            q, k = self.norms[0](q), self.norms[1](k)
        past = past_k.shape[2]
        place = torch.arange(length) + past
        angle = place[:, None] * 10000.0 ** (-torch.arange(0, self.size, 2) / self.size)
        angle = torch.cat([angle, angle], -1)
        q, k = rotate(q, angle.cos(), angle.sin()), rotate(k, angle.cos(), angle.sin())
        k, v = torch.cat([past_k, k], 2), torch.cat([past_v, v], 2)
        every = self.heads // self.groups
        keys, values = k.repeat_interleave(every, 1), v.repeat_interleave(every, 1)
        seen = torch.arange(past + length)[None] <= place[:, None]
        if self.cap:
            scores = self.cap * torch.tanh(q @ keys.transpose(-2, -1) * self.size ** -0.5 / self.cap)
            y = scores.masked_fill(~seen, -torch.inf).softmax(-1) @ values
        else:
            y = F.scaled_dot_product_attention(q, keys, values, attn_mask=seen)
        return self.out(y.transpose(1, 2).reshape(n, length, -1)), k, v


class Block(nn.Module):
    def __init__(self, width, heads, groups, bias=False, more=0.0, act=F.silu, **rest):
        super().__init__()
        self.a, self.b = RMSNorm(width, more), RMSNorm(width, more)
        self.attention, self.act = Attention(width, heads, groups, bias, **rest), act
        self.gate, self.up = (nn.Linear(width, 2 * width, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * width, width, bias=False)

    def forward(self, x, past_k, past_v):
        y, k, v = self.attention(self.a(x), past_k, past_v)
        x = x + y
        y = self.b(x)
        return x + self.down(self.act(self.gate(y)) * self.up(y)), k, v


class Decoder(nn.Module):
    def __init__(self, width=32, scale=1.0, **rest):
        super().__init__()
        self.words, self.block, self.scale = nn.Embedding(50, width), Block(width, 4, 2, **rest), scale
        self.norm = RMSNorm(width, rest.get("more", 0.0))

    def forward(self, ids, past_k, past_v):
        y, k, v = self.block(self.words(ids) * self.scale, past_k, past_v)
        return F.linear(self.norm(y), self.words.weight), k, v


def decoder(**rest):
    past = torch.randn(2, 2, 5, 8)
    inputs = {"ids": torch.randint(0, 50, (2, 3)), "past_k": past, "past_v": past + 1}
    cache = {0: "batch", 2: "past"}
    dynamic = {"ids": {0: "batch", 1: "length"}, "past_k": cache, "past_v": cache}
    return Decoder(**rest), inputs, dynamic, {"batch": 2, "length": 4, "past": 6, "limits": {"ids": 50}}


def llama():
    return decoder()


def qwen():
    return decoder(bias=True, norm=True)


def gemma():
    return decoder(more=1.0, scale=32 ** 0.5, cap=30.0, act=lambda x: F.gelu(x, approximate="tanh"))


class WhisperDecoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words, self.place = nn.Embedding(40, width), nn.Parameter(torch.randn(16, width))
        self.layer = nn.TransformerDecoderLayer(width, 4, 64, activation="gelu", batch_first=True, norm_first=True)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids, sound):
        y = self.words(ids) + self.place[: ids.shape[1]]
        length = ids.shape[1]
        mask = torch.full((length, length), -torch.inf).triu(1)
        return F.linear(self.norm(self.layer(y, sound, tgt_mask=mask)), self.words.weight)


def whisper_decoder():
    inputs = {"ids": torch.randint(0, 40, (2, 5)), "sound": torch.randn(2, 9, 32)}
    dynamic = {"ids": {0: "batch", 1: "length"}, "sound": {0: "batch", 1: "frames"}}
    return WhisperDecoder(), inputs, dynamic, {"batch": 2, "length": 4, "frames": 7, "limits": {"ids": 40}}


class Bert(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words, self.place, self.kinds = nn.Embedding(60, width), nn.Embedding(32, width), nn.Embedding(2, width)
        layer = nn.TransformerEncoderLayer(width, 4, 64, activation="gelu", batch_first=True)
        self.norm, self.body = nn.LayerNorm(width), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.pool = nn.Linear(width, width)

    def forward(self, ids, kinds, mask):
        x = self.words(ids) + self.kinds(kinds) + self.place(torch.arange(ids.shape[1]))
        y = self.body(self.norm(x), src_key_padding_mask=(1.0 - mask) * -10000.0)
        return y, torch.tanh(self.pool(y[:, 0]))


def bert():
    ids = torch.randint(0, 60, (2, 6))
    inputs = {"ids": ids, "kinds": ids % 2, "mask": torch.ones(2, 6)}
    both = {0: "batch", 1: "length"}
    return Bert(), inputs, {name: both for name in inputs}, {"batch": 2, "length": 7, "limits": {"ids": 60}}


class Gpt2(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.words, self.place = nn.Embedding(50, width), nn.Embedding(32, width)
        self.a, self.b, self.norm = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, ids):
        n, length = ids.shape
        x = self.words(ids) + self.place(torch.arange(length))
        q, k, v = (y.view(n, length, 4, -1).transpose(1, 2) for y in self.qkv(self.a(x)).split(32, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(n, length, -1))
        return F.linear(self.norm(x + self.mlp(self.b(x))), self.words.weight)


def gpt2():
    both = {"ids": {0: "batch", 1: "length"}}
    return Gpt2(), {"ids": torch.randint(0, 50, (2, 5))}, both, {"batch": 2, "length": 8, "limits": {"ids": 50}}


class Mamba(nn.Module):
    """A selective scan over a fixed number of steps."""

    def __init__(self, width=16, states=4):
        super().__init__()
        self.start, self.mix = nn.Linear(width, 4 * width), nn.Conv1d(2 * width, 2 * width, 4, padding=3, groups=2 * width)
        self.pick, self.step = nn.Linear(2 * width, 2 * states + 1), nn.Linear(1, 2 * width)
        self.decay = nn.Parameter(torch.rand(2 * width, states) + 0.5)
        self.through, self.out = nn.Parameter(torch.ones(2 * width)), nn.Linear(2 * width, width)

    def forward(self, x):
        length = x.shape[1]
        y, gate = self.start(x).chunk(2, -1)
        y = F.silu(self.mix(y.transpose(1, 2))[:, :, :length].transpose(1, 2))
        step, b, c = self.pick(y).split([1, 4, 4], -1)
        step = F.softplus(self.step(step))
        keep, add = torch.exp(-step[..., None] * self.decay), (step * y)[..., None] * b[:, :, None]
        state, made = torch.zeros_like(add[:, 0]), []
        for t in range(length):
            state = keep[:, t] * state + add[:, t]
            made.append((state * c[:, t, None]).sum(-1))
        return self.out((torch.stack(made, 1) + y * self.through) * F.silu(gate))


def mamba():
    return Mamba(), {"x": torch.randn(2, 12, 16)}, {"x": {0: "batch"}}, {"batch": 3}


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.net = nn.Embedding(40, 16), nn.LSTM(16, 12, batch_first=True, bidirectional=True)
        self.end = nn.Linear(24, 5)

    def forward(self, ids):
        return self.end(self.net(self.words(ids))[0]).log_softmax(-1)


def lstm_tagger():
    both = {"ids": {0: "batch", 1: "length"}}
    return Tagger(), {"ids": torch.randint(0, 40, (2, 6))}, both, {"batch": 2, "length": 9, "limits": {"ids": 40}}


MODELS = {m.__name__: m for m in (llama, qwen, gemma, whisper_decoder, bert, gpt2, mamba, lstm_tagger)}
