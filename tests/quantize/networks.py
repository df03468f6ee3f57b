"""Small networks of the kinds that are quantized, trained on generated images within minutes."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

CLASSES = 10
SIZE = 16


def images(count, seed):
    """Noisy, shifted patterns of ten classes, and their classes."""
    patterns = np.random.RandomState(7).randn(CLASSES, 3, SIZE // 4, SIZE // 4).astype(np.float32)
    patterns = np.kron(patterns, np.ones((1, 1, 4, 4), np.float32))
    random = np.random.RandomState(seed)
    labels = random.randint(0, CLASSES, count)
    x = patterns[labels].copy()
    for i in range(count):
        shift = random.randint(-3, 4, 2)
        x[i] = np.roll(x[i], shift, (1, 2)) * random.uniform(0.3, 1.6)
    x += random.randn(*x.shape).astype(np.float32) * 1.6
    return x.astype(np.float32), labels.astype(np.int64)


def conv(inputs, outputs, size=3, stride=1, groups=1, activation=nn.ReLU):
    layers = [nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs)]
    return layers + ([activation()] if activation else [])


def head(channels):
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, CLASSES)]


class Residual(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.branch = nn.Sequential(*conv(inputs, outputs, 3, stride), *conv(outputs, outputs, activation=None))
        same = stride == 1 and inputs == outputs
        self.skip = nn.Identity() if same else nn.Sequential(*conv(inputs, outputs, 1, stride, activation=None))

    def forward(self, x):
        return F.relu(self.branch(x) + self.skip(x))


class Inverted(nn.Module):
    def __init__(self, inputs, outputs, stride, wider=4):
        super().__init__()
        wide = inputs * wider
        self.branch = nn.Sequential(*conv(inputs, wide, 1, activation=nn.ReLU6),
                                    *conv(wide, wide, 3, stride, wide, nn.ReLU6),
                                    *conv(wide, outputs, 1, activation=None))
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.branch(x) if self.adds else self.branch(x)


class BertBlock(nn.Module):
    def __init__(self, width=48, heads=4, length=16):
        super().__init__()
        self.width, self.heads, self.length = width, heads, length
        self.embed = nn.Linear(48, width)
        self.position = nn.Parameter(torch.randn(length, width) * 0.1)
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.classify = nn.Linear(width, CLASSES)

    def forward(self, x):
        batch = x.shape[0]
        patches = x.reshape(batch, 3, 4, 4, 4, 4).permute(0, 2, 4, 1, 3, 5).reshape(batch, self.length, 48)
        x = self.embed(patches) + self.position

        def split(y):
            return y.reshape(batch, self.length, self.heads, self.width // self.heads).permute(0, 2, 1, 3)

        scores = split(self.query(x)) @ split(self.key(x)).transpose(2, 3) / (self.width // self.heads) ** 0.5
        mixed = (torch.softmax(scores, -1) @ split(self.value(x))).permute(0, 2, 1, 3)
        x = self.norm1(x + self.out(mixed.reshape(batch, self.length, self.width)))
        x = self.norm2(x + self.narrow(F.gelu(self.wide(x))))
        return self.classify(x.mean(1))


def ds_cnn():
    layers = conv(3, 32, 3, 2)
    for outputs in (32, 32, 32, 48):
        layers += conv(32, 32, 3, 1, 32) + conv(32, outputs, 1)
    return nn.Sequential(*layers, *head(48))


def resnet():
    widths = [(16, 16, 1), (16, 16, 1), (16, 32, 2), (32, 32, 1), (32, 48, 2), (48, 48, 1), (48, 64, 2), (64, 64, 1)]
    return nn.Sequential(*conv(3, 16), *[Residual(*width) for width in widths], *head(64))


def mobilenet_v2():
    widths = [(16, 16, 1), (16, 24, 2), (24, 24, 1), (24, 32, 2), (32, 32, 1)]
    blocks = [Inverted(*width) for width in widths]
    return nn.Sequential(*conv(3, 16, activation=nn.ReLU6), *blocks, *conv(32, 96, 1, activation=nn.ReLU6), *head(96))


def unbalanced():
    """The same network with channels of very different ranges, as they occur after training with weight decay."""
    network = ds_cnn()
    network.unbalance = True
    return network


def move_scales(network):
    """Multiplies the channels of each convolution by random factors, and divides them out in the next one."""
    random = np.random.RandomState(1)
    convolutions = [layer for layer in network if isinstance(layer, nn.Conv2d)]
    normalizations = [layer for layer in network if isinstance(layer, nn.BatchNorm2d)]
    with torch.no_grad():
        for normalization, after in zip(normalizations, convolutions[1:]):
            factors = torch.tensor(np.exp(random.randn(normalization.num_features) * 1.5), dtype=torch.float32)
            normalization.weight *= factors
            normalization.bias *= factors
            after.weight /= factors.reshape(-1, 1, 1, 1) if after.groups > 1 else factors.reshape(1, -1, 1, 1)
    return network


def vgg():
    layers = conv(3, 16) + conv(16, 16) + [nn.MaxPool2d(2)] + conv(16, 32) + conv(32, 32) + [nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(512, 48), nn.ReLU(), nn.Linear(48, CLASSES))


class SqueezeExcite(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.branch = nn.Sequential(*conv(channels, channels))
        self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, 8, 1), nn.ReLU(),
                                  nn.Conv2d(8, channels, 1), nn.Sigmoid())

    def forward(self, x):
        x = self.branch(x)
        return x * self.gate(x)


def squeeze_excite():
    return nn.Sequential(*conv(3, 24, 3, 2), SqueezeExcite(24), *conv(24, 32, 3, 2), SqueezeExcite(32), *head(32))


class Mixer(nn.Module):
    """Products along patches and along channels in turn."""
    def __init__(self, width=48, patches=16):
        super().__init__()
        self.embed = nn.Conv2d(3, width, 4, 4)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.along = nn.Sequential(nn.Linear(patches, 32), nn.GELU(), nn.Linear(32, patches))
        self.across = nn.Sequential(nn.Linear(width, 96), nn.GELU(), nn.Linear(96, width))
        self.classify = nn.Linear(width, CLASSES)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = x + self.along(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        x = x + self.across(self.norm2(x))
        return self.classify(x.mean(1))


def activations():
    return nn.Sequential(nn.Conv2d(3, 24, 3, 1, 1), nn.Hardswish(), nn.AvgPool2d(2), nn.Conv2d(24, 24, 5, 1, 2, groups=24),
                         nn.Hardswish(), nn.Conv2d(24, 48, 3, 2, 1), nn.SiLU(), nn.AdaptiveAvgPool2d(1),
                         nn.Flatten(), nn.Linear(48, 32), nn.Sigmoid(), nn.Linear(32, CLASSES))


def autoencoder():
    layers = [nn.Flatten()]
    widths = [3 * SIZE * SIZE, 128, 64, 8, 64, 128]
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [nn.Linear(inputs, outputs), nn.BatchNorm1d(outputs), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(128, widths[0]))


# Name, constructor, epochs of training.
NETWORKS = [("ds_cnn", ds_cnn, 5), ("resnet", resnet, 5), ("mobilenet_v2", mobilenet_v2, 5),
            ("activations", activations, 5), ("autoencoder", autoencoder, 12), ("bert_block", BertBlock, 14),
            ("unbalanced", unbalanced, 5), ("vgg", vgg, 5), ("squeeze_excite", squeeze_excite, 5), ("mixer", Mixer, 14)]


def trained(name, make, epochs):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    network = make()
    x, y = (torch.tensor(part) for part in images(3000, 1))
    optimizer = torch.optim.Adam(network.parameters(), 2e-3)
    for _ in range(epochs):
        network.train()
        order = torch.randperm(len(x))
        for start in range(0, len(x) - 31, 32):
            batch = order[start:start + 32]
            out = network(x[batch])
            loss = F.mse_loss(out, x[batch].flatten(1)) if name == "autoencoder" else F.cross_entropy(out, y[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return move_scales(network).eval() if hasattr(network, "unbalance") else network.eval()
