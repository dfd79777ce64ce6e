"""The five networks. All fully convolutional, RGB in 0..1, fixed input size at export.

Plain 3 x 3 convolutions with batch norm (folded at export) and ReLU: what runs fast in both runtimes.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class Conv(nn.Sequential):
    def __init__(self, inputs, outputs, size=3, stride=1, padding=None, act=True):
        padding = size // 2 if padding is None else padding
        layers = [nn.Conv2d(inputs, outputs, size, stride, padding, bias=False), nn.BatchNorm2d(outputs)]
        super().__init__(*layers, *([nn.ReLU(inplace=True)] if act else []))


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = Conv(width, width), Conv(width, width, act=False)

    def forward(self, x):
        return F.relu(x + self.second(self.first(x)))


class BoardContext(nn.Module):
    """Gives every square the statistics of its board: how white and black pieces appear on it."""

    def __init__(self, width, hidden):
        super().__init__()
        self.down, self.up = nn.Conv2d(2 * width, hidden, 1), nn.Conv2d(hidden, 2 * width, 1)

    def forward(self, x):
        mean = x.mean((2, 3), keepdim=True)
        peak = x.amax((2, 3), keepdim=True)
        scale, offset = self.up(F.relu(self.down(torch.cat([mean, peak], 1)))).chunk(2, 1)
        return x * torch.sigmoid(scale) + offset


class Exchange(nn.Module):
    """Attention over the 64 squares: eight pieces of one shape are pawns, whatever the shape. Positions of squares are
    not an input, so that only appearance counts. Its output starts at zero, so that it can be added to a trained
    network."""

    def __init__(self, width, heads=4, depth=24):
        super().__init__()
        self.heads, self.depth = heads, depth
        self.ask, self.offer = Conv(width, heads * depth, 1, act=False), Conv(width, heads * depth, 1, act=False)
        self.give = nn.Conv2d(width, heads * depth, 1)
        self.take = nn.Conv2d(heads * depth, width, 1)
        self.think = nn.Sequential(Conv(width, width, 1), nn.Conv2d(width, width, 1))
        for last in (self.take, self.think[1]):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def split(self, x):
        return x.reshape(x.shape[0], self.heads, self.depth, x.shape[2] * x.shape[3])

    def forward(self, x):
        ask, offer, give = self.split(self.ask(x)), self.split(self.offer(x)), self.split(self.give(x))
        weights = torch.softmax(ask.transpose(2, 3) @ offer / self.depth**0.5, -1)  # [n, heads, 64 asking, 64]
        found = (give @ weights.transpose(2, 3)).reshape(x.shape[0], self.heads * self.depth, *x.shape[2:])
        x = x + self.take(found)
        return x + self.think(x)


class PiecesNet(nn.Module):
    """[n, 3, 288, 288] (32 pixels a square, 16 of margin) to [n, 64, 13] logits, row by row as seen."""

    def __init__(self, widths=(16, 32, 48, 96, 160), exchange=True):
        super().__init__()
        a, b, c, d, e = widths
        self.fine = nn.Sequential(
            Conv(3, a, stride=2), Conv(a, b, stride=2), Conv(b, c, stride=2), Residual(c), Conv(c, d, stride=2)
        )
        self.middle = nn.Sequential(Residual(d), BoardContext(d, 48), Residual(d))
        self.to_squares = Conv(d, e, size=2, stride=2, padding=0)
        self.squares = nn.Sequential(BoardContext(e, 64), Residual(e), BoardContext(e, 64))
        self.exchange = nn.Sequential(Exchange(e), Exchange(e)) if exchange else nn.Identity()
        self.head = nn.Conv2d(e, 13, 1)

    def forward(self, x):
        x = self.middle(self.fine(x - 0.5))
        x = x[:, :, 1:-1, 1:-1]  # 18 x 18 at stride 16: the outer ring is the margin
        x = self.head(self.exchange(self.squares(self.to_squares(x))))
        return x.flatten(2).transpose(1, 2)


class UNet(nn.Module):
    """Encoder to stride 32, decoder back to stride `2 ** out_level`; `maps` maps."""

    def __init__(self, widths, out_level, maps, deep=2):
        super().__init__()
        a, b, c, d, e = widths
        self.stem = nn.Sequential(Conv(3, a, stride=2), Conv(a, b, stride=2))
        self.s8 = nn.Sequential(Conv(b, c, stride=2), Residual(c))
        self.s16 = nn.Sequential(Conv(c, d, stride=2), Residual(d))
        self.s32 = nn.Sequential(Conv(d, e, stride=2), *[Residual(e) for _ in range(deep)], BoardContext(e, 48))
        self.up16, self.mix16 = Conv(e, d, 1), Conv(d, d)
        self.up8, self.mix8 = Conv(d, c, 1), Conv(c, c)
        self.out_level = out_level
        width = c
        if out_level == 2:
            self.up4, self.mix4 = Conv(c, b, 1), Conv(b, b)
            width = b
        self.head = nn.Conv2d(width, maps, 1)

    def forward(self, x):
        x4 = self.stem(x - 0.5)
        x8 = self.s8(x4)
        x16 = self.s16(x8)
        x = self.s32(x16)
        x = self.mix16(x16 + F.interpolate(self.up16(x), scale_factor=2.0, mode="nearest"))
        x = self.mix8(x8 + F.interpolate(self.up8(x), scale_factor=2.0, mode="nearest"))
        if self.out_level == 2:
            x = self.mix4(x4 + F.interpolate(self.up4(x), scale_factor=2.0, mode="nearest"))
        return self.head(x)


def finder() -> nn.Module:
    """[n, 3, 384, 384] picture to [n, 4, 48, 48]: logits of board core and board, then u and v,
    the board coordinates (0..1 from the left and from the top edge as seen)."""
    return UNet((8, 16, 32, 64, 96), out_level=3, maps=4)


def aligner() -> nn.Module:
    """[n, 3, 256, 256] view of one board to [n, 7, 64, 64]: logit of board, u and v, then cosine and
    sine of the position within a square, x and y. Phase is learned where a heat map of crossings is not:
    every cell carries a signal, and the mean of a thousand is exact to a fiftieth of a square."""
    return UNet((16, 24, 48, 64, 96), out_level=2, maps=7)


class CoordinatesNet(nn.Module):
    """[n, 3, 560, 560] (10 x 10 cells of 56 pixels, the board in the middle) to [n, 100, 18] logits, row by row:
    nine for the letter of a cell (none, a-h), nine for its digit (none, 1-8)."""

    def __init__(self, widths=(8, 20, 36, 80)):
        super().__init__()
        a, b, c, d = widths
        self.fine = nn.Sequential(Conv(3, a, stride=2), Conv(a, b, stride=2), Conv(b, c, stride=2), Conv(c, c))
        self.cells = nn.Sequential(Conv(c, d, size=7, stride=7, padding=0), Conv(d, d), nn.Conv2d(d, 18, 1))

    def forward(self, x):
        return self.cells(self.fine(x - 0.5)).flatten(2).transpose(1, 2)


class VisibilityNet(nn.Module):
    """[n, 3, 288, 144] (`draw.hidden.pair`: a board at 16 pixels a square with 8 of margin, and below it how far it differs from
    empty squares) to [n, 64, 2] logits, row by row as seen: covered, and ink of a piece beside its square."""

    def __init__(self, widths=(12, 24, 32, 48, 64)):
        super().__init__()
        a, b, c, d, e = widths
        self.fine = nn.Sequential(
            Conv(6, a, stride=2), Conv(a, b), Conv(b, c, stride=2), Conv(c, c), Conv(c, d, stride=2), BoardContext(d, 24), Residual(d)
        )
        self.to_squares = Conv(d, e, size=2, stride=2, padding=0)
        self.squares = nn.Sequential(BoardContext(e, 32), Residual(e), Exchange(e, heads=2, depth=16), BoardContext(e, 32))
        self.head = nn.Conv2d(e, 2, 1)

    def forward(self, x):
        x = torch.cat([x[:, :, :144], x[:, :, 144:]], 1)
        x = self.fine(x - 0.5)[:, :, 1:-1, 1:-1]  # 18 x 18 at stride 8: the outer ring is the margin
        return self.head(self.squares(self.to_squares(x))).flatten(2).transpose(1, 2)


NETWORKS = {
    "coordinates": (CoordinatesNet, (3, 560, 560)),
    "pieces": (PiecesNet, (3, 288, 288)),
    "finder": (finder, (3, 384, 384)),
    "aligner": (aligner, (3, 256, 256)),
    "visibility": (VisibilityNet, (3, 288, 144)),
}


def multiply_adds(model: nn.Module, shape) -> float:
    """Millions of multiply-adds of the convolutions for one input."""
    total = 0

    def count(module, _, out):
        nonlocal total
        k = module.weight.shape
        total += out.shape[2] * out.shape[3] * k[0] * k[1] * k[2] * k[3]

    hooks = [m.register_forward_hook(count) for m in model.modules() if isinstance(m, nn.Conv2d)]
    with torch.no_grad():
        model.eval()(torch.zeros(1, *shape))
    for hook in hooks:
        hook.remove()
    return total / 1e6
