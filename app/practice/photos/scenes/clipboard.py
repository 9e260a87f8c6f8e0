"""A signed paper on a clipboard, photographed from above with a hand-held telephone."""

from datetime import datetime, timedelta
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from app.practice.photos.drawing.camera_finish import Look
from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.light import Lamp, Lighting
from app.practice.photos.drawing.noise import Size, blurred, clouds, dye, levels, shade, slope, streaks, wave
from app.practice.photos.drawing.space import Box, Face, aim
from app.practice.photos.drawing.surfaces import boards, concrete
from app.practice.photos.scenes.carton import BRANDS, GOODS, cardboard, worn
from app.practice.photos.scenes.paper import DocumentFacts, Form, draw_page


def signed(rng: Random, size: Size) -> tuple[Canvas, Look]:
    """A delivery receipt of nobody in particular on a clipboard."""
    goods = tuple(
        (f"C{rng.randrange(100, 999)}", rng.choice(GOODS).capitalize(), rng.randrange(1, 7))
        for _ in range(rng.randrange(2, 9))
    )
    number, moment = (
        rng.randrange(700_000, 999_999),
        datetime(2026, 1, 5, 8, 0) + timedelta(minutes=rng.randrange(400_000)),
    )
    facts = DocumentFacts(
        str(number), f"CRN-{number % 90_000}", "Consignee", (), "DC1", rng.choice(BRANDS), goods, moment
    )
    form = Form(
        "DELIVERY RECEIPT", "Form DR-1", ("Pieces", "Received"), "Received in apparent good order, except as noted."
    )
    return clipboard(rng, size, draw_page(form, facts, rng))


def clipboard(rng: Random, size: Size, page: Image.Image) -> tuple[Canvas, Look]:
    """`page` (upright, RGB) under the clip of a brown clipboard that lies on a carton, a bench or the floor."""
    roll = rng.uniform(-7, 7)
    away = 0.0 if size[1] > size[0] else 0.09
    camera = aim((rng.uniform(-0.05, 0.05), 0.38 + away, -0.13), (0.0, 0.0, -0.004), size, 44.0, roll)
    lamp = Lamp((rng.choice((-0.8, 0.8)), 1.5, 0.7), (0.86, 0.84, 0.78), 1.6, 0.12)
    canvas = Canvas(camera, Lighting((lamp,), (0.26, 0.28, 0.31), (0.1, 0.1, 0.1)), rng, (60, 56, 50))
    board = Box((0.0, 0.0, 0.0), 0.235, 0.004, 0.33, rng.uniform(-3, 3))
    pen = Box((0.155, 0.0, -0.02), 0.008, 0.009, 0.14, rng.uniform(-25, 25))
    canvas.plane(Face((-0.9, 0, 0.7), (1.8, 0, 0), (0, 0, -1.4)), _table(rng), [board, pen], reach=0.012, strength=0.75)
    canvas.blur(1.2)
    canvas.box(
        board,
        lambda _name, shape: dye(
            Image.blend(streaks(rng, shape, 9), clouds(rng, shape, 30, 3), 0.6), (84, 58, 36), (136, 98, 64)
        ),
        floor=0.0,
    )
    _paper(canvas, rng, board, page)
    _clip(canvas, rng, board)
    canvas.box(
        pen,
        lambda _name, shape: shade(
            Image.new("RGB", shape, (28, 40, 110)), levels(wave(shape, max(4, shape[0] / 1.5)), 120, 255)
        ),
        floor=0.0,
    )
    return canvas, Look((1.03, 1.0, 0.94), 0.95, 0.03, 1.12, 0.4, 0.15, 4.6, 0.9)


def _table(rng: Random) -> Image.Image:
    kind = rng.randrange(3)
    if kind == 0:
        return worn(cardboard(rng, (1000, 780)), rng)
    if kind == 1:
        return boards(rng, (1000, 780), 6, (98, 74, 50), (166, 132, 94))
    return concrete(rng, (1000, 780), marks=False)


def _paper(canvas: Canvas, rng: Random, board: Box, page: Image.Image) -> None:
    """Two sheets, the lower one peeping out; the upper is a little wavy."""
    for lift, askew in ((0.0045, rng.uniform(-1.6, 1.6)), (0.0055, rng.uniform(-0.8, 0.8))):
        sheet = Box((0.0, lift, -0.012), 0.21, 0.0004, 0.275, board.turned + askew)
        face = sheet.face("top")
        if lift < 0.005:
            canvas.lit(face, Image.new("RGB", (64, 80), (206, 204, 198)))
            continue
        size = canvas.seen_size(face, 1500)
        paper = page.resize(size, Image.Resampling.LANCZOS)
        fibre = levels(Image.blend(clouds(rng, size, 3, 3), streaks(rng, size, 6), 0.12), 214, 255)
        wavy = levels(blurred(clouds(rng, (size[0] // 4, size[1] // 4), 2.2, 2), 6), 188, 255).resize(size)
        crease = Image.new("L", size, 255)
        draw = ImageDraw.Draw(crease)
        for part in (1 / 3, 2 / 3):
            y = size[1] * part
            draw.line((0, y, size[0], y + rng.uniform(-3, 3)), fill=186, width=max(2, size[1] // 300))
        crease = crease.filter(ImageFilter.GaussianBlur(2.2))
        paper = shade(shade(shade(paper, fibre), wavy), crease)
        shadow = Box((0.002, lift - 0.0002, -0.014), 0.214, 0.0004, 0.278, board.turned + askew).face("top")
        dim = blurred(_frame((60, 78), 5), 3)
        canvas.lay(shadow, Image.new("RGB", (60, 78), (24, 18, 12)), mask=dim)
        canvas.lit(face, paper)


def _frame(size: Size, edge: int) -> Image.Image:
    frame = Image.new("L", size, 0)
    frame.paste(150, (edge, edge, size[0] - edge, size[1] - edge))
    return frame


def _clip(canvas: Canvas, rng: Random, board: Box) -> None:
    """The sprung metal clip with its highlights."""
    steel = Box(board.place(0.0, 1.4, 0.425), 0.11, 0.012, 0.03, board.turned)
    lever = Box(board.place(0.0, 3.6, 0.462), 0.06, 0.012, 0.03, board.turned)

    def skin(_name: str, shape: Size) -> Image.Image:
        metal = dye(streaks(rng, shape, 24), (116, 118, 122), (206, 208, 212))
        gloss = ImageChops.lighter(slope(shape, 255, 90), slope(shape, 40, 170))
        return shade(metal, gloss)

    for part in (steel, lever):
        canvas.lay(Box(part.base, part.width + 0.012, 0.0005, part.depth + 0.012, part.turned).face("top"),
                   Image.new("RGB", (40, 20), (20, 16, 12)), mask=blurred(_frame((40, 20), 4), 2))  # fmt: skip
        canvas.box(part, skin, floor=0.0)
