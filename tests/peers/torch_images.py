"""Image networks of export_torch.py: a function each, which returns a module, example inputs by name, the dynamic
dimensions of these, and the sizes to compare."""
import torch
from torch import nn
from torch.nn import functional as F

BATCH = {"x": {0: "batch"}}


def conv(into, out, size=1, stride=1, groups=1, act=nn.ReLU):
    layers = [nn.Conv2d(into, out, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(out)]
    return nn.Sequential(*layers, *([act()] if act else []))


def image(batch=2, size=32, channels=3):
    return {"x": torch.randn(batch, channels, size, size)}


def classifier(body, width, size=32):
    net = nn.Sequential(body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))
    return net, image(size=size), BATCH, {"batch": 3}


class Gate(nn.Module):
    """Squeeze and excitation."""

    def __init__(self, width, gate=nn.Hardsigmoid):
        super().__init__()
        self.down, self.up, self.gate = nn.Conv2d(width, width // 4, 1), nn.Conv2d(width // 4, width, 1), gate()

    def forward(self, x):
        return x * self.gate(self.up(F.relu(self.down(F.adaptive_avg_pool2d(x, 1)))))


class Inverted(nn.Module):
    def __init__(self, into, out, size=3, stride=1, grow=4, act=nn.Hardswish, gate=None, first=0):
        super().__init__()
        wide = into * grow
        layers = [conv(into, into, first, 1, into, None)] if first else []
        layers += [conv(into, wide, act=act), conv(wide, wide, size, stride, wide, act)]
        layers += [Gate(wide, gate)] if gate else []
        self.layers, self.same = nn.Sequential(*layers, conv(wide, out, act=None)), stride == 1 and into == out

    def forward(self, x):
        y = self.layers(x)
        return x + y if self.same else y


class Residual(nn.Module):
    def __init__(self, into, out, stride=1, groups=1):
        super().__init__()
        self.a, self.b = conv(into, out, 3, stride, groups), conv(out, out, 3, 1, groups, None)
        self.skip = conv(into, out, 1, stride, act=None) if stride > 1 or into != out else nn.Identity()

    def forward(self, x):
        return F.relu(self.skip(x) + self.b(self.a(x)))


def resnet():
    return classifier(nn.Sequential(conv(3, 16, 3), Residual(16, 16), Residual(16, 32, 2), Residual(32, 64, 2)), 64)


def regnet():
    return classifier(nn.Sequential(conv(3, 16, 3), Residual(16, 32, 2, 4), Residual(32, 64, 2, 8)), 64)


def mobilenetv3():
    return classifier(nn.Sequential(
        conv(3, 16, 3, 2, act=nn.Hardswish), Inverted(16, 16, act=nn.ReLU, gate=nn.Hardsigmoid),
        Inverted(16, 24, 5, 2, gate=nn.Hardsigmoid), Inverted(24, 24, 5, gate=nn.Hardsigmoid)), 24)


def mobilenetv4():
    return classifier(nn.Sequential(
        conv(3, 16, 3, 2), Inverted(16, 32, 5, 2, act=nn.ReLU, first=5), Inverted(32, 32, act=nn.ReLU, first=3)), 32)


def efficientnet():
    return classifier(nn.Sequential(
        conv(3, 16, 3, 2, act=nn.SiLU), Inverted(16, 16, grow=1, act=nn.SiLU, gate=nn.Sigmoid),
        Inverted(16, 24, 3, 2, 6, nn.SiLU, nn.Sigmoid), Inverted(24, 24, 5, 1, 6, nn.SiLU, nn.Sigmoid)), 24)


class ConvNextBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mix, self.norm = nn.Conv2d(width, width, 7, padding=3, groups=width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.scale = nn.Parameter(torch.full([width], 0.5))

    def forward(self, x):
        y = self.mlp(self.norm(self.mix(x).permute(0, 2, 3, 1))) * self.scale
        return x + y.permute(0, 3, 1, 2)


def convnext():
    return classifier(nn.Sequential(nn.Conv2d(3, 24, 4, 4), ConvNextBlock(24), ConvNextBlock(24)), 24)


class Dense(nn.Module):
    def __init__(self, into, grow=8, layers=3):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Sequential(nn.BatchNorm2d(into + i * grow), nn.ReLU(),
                          nn.Conv2d(into + i * grow, grow, 3, padding=1)) for i in range(layers))

    def forward(self, x):
        for layer in self.layers:
            x = torch.cat([x, layer(x)], 1)
        return x


def densenet():
    return classifier(nn.Sequential(conv(3, 16, 3), Dense(16), nn.AvgPool2d(2), Dense(40)), 64)


class Shuffle(nn.Module):
    def __init__(self, width):
        super().__init__()
        half = width // 2
        self.branch = nn.Sequential(conv(half, half), conv(half, half, 3, 1, half, None), conv(half, half))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        y = torch.cat([a, self.branch(b)], 1)
        n, c, h, w = y.shape
        return y.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


def shufflenet():
    return classifier(nn.Sequential(conv(3, 24, 3, 2), nn.MaxPool2d(3, 2, 1), Shuffle(24), Shuffle(24)), 24)


class UNet(nn.Module):
    def __init__(self, widths=(8, 16, 32)):
        super().__init__()
        into = (3,) + widths[:-1]
        self.down = nn.ModuleList(nn.Sequential(conv(i, o, 3), conv(o, o, 3)) for i, o in zip(into, widths))
        pairs = list(zip(widths[::-1], widths[-2::-1]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(i, o, 2, 2) for i, o in pairs)
        self.merge = nn.ModuleList(conv(2 * o, o, 3) for _, o in pairs)
        self.end = nn.Conv2d(widths[0], 2, 1)

    def forward(self, x):
        kept = []
        for k, down in enumerate(self.down):
            x = down(x if k == 0 else F.max_pool2d(x, 2))
            kept.append(x)
        for up, merge, skip in zip(self.up, self.merge, kept[-2::-1]):
            x = merge(torch.cat([skip, up(x)], 1))
        return torch.sigmoid(self.end(x))


def unet():
    return UNet(), image(), BATCH, {"batch": 2}


class Upscale(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, 3), conv(16, 16, 3), nn.Conv2d(16, 12, 3, padding=1), nn.PixelShuffle(2))

    def forward(self, x):
        return self.body(x) + F.interpolate(x, scale_factor=2, mode="bilinear")


def superresolution():
    return Upscale(), image(), {"x": {0: "batch", 2: "h", 3: "w"}}, {"batch": 2, "h": 18, "w": 22}


class Pyramid(nn.Module):
    """Atrous spatial pyramid pooling, as in DeepLab."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, 3, 2), conv(16, 16, 3, 2))
        self.parts = nn.ModuleList(nn.Conv2d(16, 8, 3, padding=d, dilation=d) for d in (1, 2, 4))
        self.whole, self.end = nn.Conv2d(16, 8, 1), nn.Conv2d(32, 4, 1)

    def forward(self, x):
        y = self.body(x)
        whole = F.interpolate(self.whole(F.adaptive_avg_pool2d(y, 1)), size=y.shape[-2:], mode="nearest")
        y = self.end(torch.cat([part(y) for part in self.parts] + [whole], 1))
        return F.interpolate(y, size=x.shape[-2:], mode="bilinear", align_corners=False).argmax(1)


def deeplab():
    return Pyramid(), image(), BATCH, {"batch": 2}


class ViT(nn.Module):
    def __init__(self, width=32, patches=16):
        super().__init__()
        self.patch, self.token = nn.Conv2d(3, width, 8, 8), nn.Parameter(torch.randn(1, 1, width))
        self.place = nn.Parameter(torch.randn(1, patches + 1, width))
        layer = nn.TransformerEncoderLayer(width, 4, 64, activation="gelu", batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.end = nn.Linear(width, 10)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
        return self.end(self.body(x)[:, 0])


def vit():
    return ViT(), image(), BATCH, {"batch": 3}


class Window(nn.Module):
    """Attention in windows of 4 by 4, which every second block shifts, with a bias for each pair."""

    def __init__(self, width, heads, shift, size):
        super().__init__()
        self.heads, self.shift, self.size = heads, shift, size
        self.norm, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.bias = nn.Parameter(torch.randn(heads, 16, 16))
        self.mlp = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        if shift:
            place = torch.arange(size)
            part = (place >= size - 4).int() + (place >= size - shift).int()
            parts = self.split((part[:, None] * 3 + part[None])[None, :, :, None])[..., 0]
            self.register_buffer("mask", torch.where(parts[:, :, None] == parts[:, None], 0.0, -100.0))

    def split(self, x):
        n, c, k = x.shape[0], x.shape[-1], self.size // 4
        return x.view(n, k, 4, k, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, c)

    def forward(self, x):
        n, c, k = x.shape[0], x.shape[-1], self.size // 4
        y = self.norm(x)
        if self.shift:
            y = torch.roll(y, (-self.shift, -self.shift), (1, 2))
        q, key, v = self.qkv(self.split(y)).view(-1, 16, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ key.transpose(-2, -1) * (c // self.heads) ** -0.5 + self.bias
        if self.shift:
            masked = scores.view(n, k * k, self.heads, 16, 16) + self.mask[None, :, None]
            scores = masked.view(-1, self.heads, 16, 16)
        y = self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(-1, 16, c))
        y = y.view(n, k, k, 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(n, self.size, self.size, c)
        if self.shift:
            y = torch.roll(y, (self.shift, self.shift), (1, 2))
        x = x + y
        return x + self.mlp(x)


class Swin(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.a, self.b = nn.Conv2d(3, 24, 4, 4), Window(24, 3, 0, 8), Window(24, 3, 2, 8)
        self.merge, self.end = nn.Linear(96, 48), nn.Linear(48, 10)

    def forward(self, x):
        x = self.b(self.a(self.patch(x).permute(0, 2, 3, 1)))
        x = torch.cat([x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)], -1)
        return self.end(self.merge(x).mean((1, 2)))


def swin():
    return Swin(), image(), BATCH, {"batch": 2}


class Mixer(nn.Module):
    def __init__(self, width=24, tokens=16):
        super().__init__()
        self.patch, self.a, self.b = nn.Conv2d(3, width, 8, 8), nn.LayerNorm(width), nn.LayerNorm(width)
        self.tokens = nn.Sequential(nn.Linear(tokens, 32), nn.GELU(), nn.Linear(32, tokens))
        self.channels = nn.Sequential(nn.Linear(width, 48), nn.GELU(), nn.Linear(48, width))

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = x + self.tokens(self.a(x).transpose(1, 2)).transpose(1, 2)
        return (x + self.channels(self.b(x))).mean(1)


def mixer():
    return Mixer(), image(), BATCH, {"batch": 2}


class Detr(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(conv(3, 16, 3, 2), conv(16, width, 3, 2))
        self.place, self.queries = nn.Parameter(torch.randn(64, width)), nn.Parameter(torch.randn(6, width))
        self.net = nn.Transformer(width, 4, 1, 1, 64, batch_first=True)
        self.kind, self.box = nn.Linear(width, 5), nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, x):
        y = self.body(x).flatten(2).transpose(1, 2) + self.place
        y = self.net(y, self.queries.expand(x.shape[0], -1, -1))
        return self.kind(y), self.box(y).sigmoid()


def detr():
    return Detr(), image(), BATCH, {"batch": 2}


class Yolo(nn.Module):
    """A head at two scales, and the boxes that no better one of the same class overlaps."""

    def __init__(self, classes=3):
        super().__init__()
        self.body, self.deep = nn.Sequential(conv(3, 16, 3, 2, act=nn.SiLU), conv(16, 32, 3, 2, act=nn.SiLU)), \
            conv(32, 32, 3, 2, act=nn.SiLU)
        self.near, self.far = nn.Conv2d(32 + 32, 5 + classes, 1), nn.Conv2d(32, 5 + classes, 1)

    def boxes(self, y, stride):
        n, c, h, w = y.shape
        at = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(h), indexing="xy"), -1).view(-1, 2)
        y = y.flatten(2).transpose(1, 2)
        middle, half = (y[..., :2].sigmoid() + at) * stride, y[..., 2:4].exp() * stride / 2
        return torch.cat([middle - half, middle + half], -1), y[..., 4:5].sigmoid() * y[..., 5:].sigmoid()

    def forward(self, x):
        a = self.body(x)
        b = self.deep(a)
        near = self.near(torch.cat([a, F.interpolate(b, scale_factor=2.0, mode="nearest")], 1))
        parts = [self.boxes(near, 4), self.boxes(self.far(b), 8)]
        boxes, scores = torch.cat([p[0] for p in parts], 1), torch.cat([p[1] for p in parts], 1)
        best, kind = scores.max(-1)
        best, at = best.topk(20)
        boxes, kind = boxes.gather(1, at[..., None].expand(-1, -1, 4)), kind.gather(1, at)
        low = torch.maximum(boxes[:, :, None, :2], boxes[:, None, :, :2])
        high = torch.minimum(boxes[:, :, None, 2:], boxes[:, None, :, 2:])
        shared, area = (high - low).clamp(min=0).prod(-1), (boxes[..., 2:] - boxes[..., :2]).prod(-1)
        share = shared / (area[:, :, None] + area[:, None] - shared)
        share = (share * (kind[:, :, None] == kind[:, None])).triu(1)
        return boxes, best * (share.amax(1) < 0.5), kind


def yolo():
    return Yolo(), image(), BATCH, {"batch": 2}


MODELS = {m.__name__: m for m in (
    resnet, regnet, mobilenetv3, mobilenetv4, efficientnet, convnext, densenet, shufflenet, unet, superresolution,
    deeplab, vit, swin, mixer, detr, yolo)}
