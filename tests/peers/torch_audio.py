"""Networks of export_torch.py for sound and other sequences."""
import torch
from torch import nn
from torch.nn import functional as F

LENGTH = {"x": {0: "batch", 2: "length"}}


def encoder(width, heads=4, layers=2, act="gelu"):
    layer = nn.TransformerEncoderLayer(width, heads, 2 * width, activation=act, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)


class WhisperEncoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.a, self.b = nn.Conv1d(20, width, 3, padding=1), nn.Conv1d(width, width, 3, 2, 1)
        self.place, self.body, self.norm = nn.Parameter(torch.randn(64, width)), encoder(width), nn.LayerNorm(width)

    def forward(self, x):
        y = F.gelu(self.b(F.gelu(self.a(x)))).transpose(1, 2)
        return self.norm(self.body(y + self.place[: y.shape[1]]))


def whisper_encoder():
    return WhisperEncoder(), {"x": torch.randn(2, 20, 48)}, LENGTH, {"batch": 2, "length": 40}


class Wav2Vec(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.first, self.norm = nn.Conv1d(1, width, 10, 5, bias=False), nn.GroupNorm(width, width)
        self.rest = nn.ModuleList(nn.Conv1d(width, width, 3, 2, bias=False) for _ in range(2))
        self.place = nn.Conv1d(width, width, 8, padding=4, groups=4)
        self.body, self.end = encoder(width), nn.Linear(width, 12)

    def forward(self, x):
        y = F.gelu(self.norm(self.first(x)))
        for layer in self.rest:
            y = F.gelu(layer(y))
        y = y + F.gelu(self.place(y)[:, :, :-1])
        return self.end(self.body(y.transpose(1, 2))).log_softmax(-1)


def wav2vec():
    return Wav2Vec(), {"x": torch.randn(2, 1, 400)}, LENGTH, {"batch": 2, "length": 340}


class ConformerBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        feed = lambda: nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.SiLU(), nn.Linear(2 * width, width))
        self.a, self.b, self.norm, self.last = feed(), feed(), nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, 4, batch_first=True)
        self.widen, self.mix = nn.Conv1d(width, 2 * width, 1), nn.Conv1d(width, width, 7, padding=3, groups=width)
        self.batch, self.narrow = nn.BatchNorm1d(width), nn.Conv1d(width, width, 1)

    def forward(self, x):
        x = x + 0.5 * self.a(x)
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        y = F.glu(self.widen(x.transpose(1, 2)), 1)
        x = x + self.narrow(F.silu(self.batch(self.mix(y)))).transpose(1, 2)
        return self.last(x + 0.5 * self.b(x))


class Conformer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.start, self.body = nn.Linear(20, width), nn.Sequential(ConformerBlock(width), ConformerBlock(width))

    def forward(self, x):
        return self.body(self.start(x.transpose(1, 2)))


def conformer():
    return Conformer(), {"x": torch.randn(2, 20, 24)}, LENGTH, {"batch": 2, "length": 30}


class Causal(nn.Module):
    def __init__(self, into, out, dilation):
        super().__init__()
        self.pad, self.a = 2 * dilation, nn.Conv1d(into, out, 3, dilation=dilation)
        self.b = nn.Conv1d(out, out, 3, dilation=dilation)
        self.skip = nn.Conv1d(into, out, 1) if into != out else nn.Identity()

    def forward(self, x):
        y = F.relu(self.a(F.pad(x, (self.pad, 0))))
        return F.relu(self.skip(x) + F.relu(self.b(F.pad(y, (self.pad, 0)))))


def tcn():
    net = nn.Sequential(Causal(8, 16, 1), Causal(16, 16, 2), Causal(16, 16, 4), nn.Conv1d(16, 4, 1))
    return net, {"x": torch.randn(2, 8, 32)}, LENGTH, {"batch": 2, "length": 21}


class GruDenoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.start, self.net, self.end = nn.Linear(16, 24), nn.GRU(24, 24, 2, batch_first=True), nn.Linear(24, 16)

    def forward(self, x, state):
        y, state = self.net(torch.tanh(self.start(x)), state)
        return self.end(y).sigmoid() * x, state


def gru_denoiser():
    inputs = {"x": torch.randn(1, 6, 16), "state": torch.randn(2, 1, 24)}
    return GruDenoiser(), inputs, {}, {}


MODELS = {m.__name__: m for m in (whisper_encoder, wav2vec, conformer, tcn, gru_denoiser)}
