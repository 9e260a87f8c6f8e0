"""Handwriting on paper: a signature, initials, ticks. Drawn large and reduced, so that the pen looks round.

Invariant: ink is returned as a mask (255 where the pen was) for the caller to colour.
"""

from itertools import pairwise
from math import cos, pi, sin
from random import Random

from PIL import Image, ImageDraw

from app.practice.photos.drawing.noise import Size

FINER = 3


def signature(rng: Random, size: Size) -> Image.Image:
    """A scrawl that fills `size`: a tall first letter, loops that tire, a line back under the name."""
    w, h = size[0] * FINER, size[1] * FINER
    mask = Image.new("L", (w, h), 0)
    draw = ImageDraw.Draw(mask)
    pen = max(2.0, h / 34)
    _capital(draw, rng, w, h, pen)
    _run(draw, rng, (0.2 * w, 0.56 * h), 0.32 * w, h * 0.2, pen)
    _capital(draw, rng, w, h, pen, shift=0.5)
    _run(draw, rng, (0.66 * w, 0.58 * h), 0.26 * w, h * 0.15, pen)
    if rng.random() < 0.65:
        tail = [
            (0.94 * w, 0.6 * h),
            (0.6 * w, rng.uniform(0.8, 0.9) * h),
            (0.2 * w, rng.uniform(0.74, 0.84) * h),
            (0.5 * w, 0.76 * h),
        ]
        _stroke(draw, rng, _curve(tail), pen * 0.8)
    return mask.rotate(rng.uniform(-2, 6), Image.Resampling.BICUBIC).reduce(FINER)


def tick(rng: Random, size: Size) -> Image.Image:
    """A check mark, done in a hurry."""
    w, h = size[0] * FINER, size[1] * FINER
    mask = Image.new("L", (w, h), 0)
    path = [
        (0.14 * w, rng.uniform(0.45, 0.6) * h),
        (0.36 * w, rng.uniform(0.78, 0.9) * h),
        (rng.uniform(0.8, 0.97) * w, rng.uniform(0.05, 0.2) * h),
    ]
    _stroke(ImageDraw.Draw(mask), rng, _curve(path, 12), max(2.0, h / 12))
    return mask.reduce(FINER)


def circle(rng: Random, size: Size) -> Image.Image:
    """A ring drawn around a word or a number; its ends miss each other."""
    w, h = size[0] * FINER, size[1] * FINER
    start, off = rng.uniform(3.4, 4.2), rng.uniform(0.9, 1.0)
    path = [
        (
            w / 2 + w * 0.45 * cos(start + k * 2.1 * pi / 60) * (off + k / 900),
            h / 2 + h * 0.42 * sin(start + k * 2.1 * pi / 60) * (1.04 - k / 700),
        )
        for k in range(61)
    ]
    mask = Image.new("L", (w, h), 0)
    _stroke(ImageDraw.Draw(mask), rng, path, max(2.0, min(w, h) / 22))
    return mask.reduce(FINER)


def _capital(draw: ImageDraw.ImageDraw, rng: Random, w: int, h: int, pen: float, shift: float = 0.0) -> None:
    x = (0.05 + shift) * w
    points = [(x + rng.uniform(-0.01, 0.14) * w, rng.uniform(0.08, 0.72) * h) for _ in range(3)]
    path = [
        (x + 0.02 * w, 0.66 * h),
        points[0],
        (x + 0.09 * w, rng.uniform(0.08, 0.2) * h),
        points[1],
        (x + 0.05 * w, 0.68 * h),
        points[2],
        (x + 0.15 * w, 0.56 * h),
    ]
    _stroke(draw, rng, _curve(path), pen)


def _run(
    draw: ImageDraw.ImageDraw, rng: Random, start: tuple[float, float], run: float, high: float, pen: float
) -> None:
    """Small letters: a spring that is pulled out and flattens."""
    steps, turns, phase = 90, rng.uniform(3.5, 6.5), rng.uniform(0, 6)
    path = []
    for step in range(steps + 1):
        part = step / steps
        size = high * (1 - 0.75 * part) * (0.6 + 0.4 * sin(turns * 0.7 * part * 2 * pi + phase))
        angle = turns * 2 * pi * part + phase
        path.append((start[0] + run * part + size * 0.35 * cos(angle), start[1] + size * 0.6 * sin(angle) - high * 0.2))
    _stroke(draw, rng, path, pen)


def _curve(points: list[tuple[float, float]], steps: int = 14) -> list[tuple[float, float]]:
    """A smooth line through the points (Catmull-Rom)."""
    ends = [points[0], *points, points[-1]]
    path = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            path.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return [*path, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def _stroke(draw: ImageDraw.ImageDraw, rng: Random, path: list[tuple[float, float]], pen: float) -> None:
    """The path with a pen whose pressure drifts."""
    pressure = 1.0
    for (x0, y0), (x1, y1) in pairwise(path):
        pressure = min(1.35, max(0.6, pressure + rng.uniform(-0.12, 0.12)))
        wide = pen * pressure
        draw.line((x0, y0, x1, y1), fill=255, width=max(1, round(wide)))
        draw.ellipse((x1 - wide / 2, y1 - wide / 2, x1 + wide / 2, y1 + wide / 2), fill=255)
