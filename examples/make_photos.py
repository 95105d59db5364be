"""Draws the pictures of examples/photos, and makes copies of them as people do: smaller, recompressed, in other
formats, brighter, grey, cropped, turned, mirrored.

    pip install pillow numpy
    python examples/make_photos.py FOLDER

Drawn with the same versions of both packages, the files are the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

#: Size of a picture, and how much larger it is drawn, so that edges are smooth.
SIZE = (320, 240)
SCALE = 3


def gradient(top: tuple[int, int, int], bottom: tuple[int, int, int]) -> Image.Image:
    """A picture that goes from one colour to another."""
    width, height = (side * SCALE for side in SIZE)
    share = np.linspace(0, 1, height)[:, None, None]
    rows = np.array(top) * (1 - share) + np.array(bottom) * share
    return Image.fromarray(np.repeat(rows, width, axis=1).astype(np.uint8))


def with_grain(picture: Image.Image, random: np.random.Generator, strength: float = 5) -> Image.Image:
    """The picture at its size, with the noise of a camera."""
    small = picture.resize(SIZE, Image.Resampling.LANCZOS)
    pixels = np.asarray(small).astype(float)
    coarse = Image.fromarray(random.normal(128, 40, (SIZE[1] // 8, SIZE[0] // 8)).clip(0, 255).astype(np.uint8))
    clouds = np.asarray(coarse.resize(SIZE, Image.Resampling.BICUBIC)).astype(float)[:, :, None] - 128
    pixels += random.normal(0, strength, pixels.shape) + clouds * 0.12
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def ridge(draw: ImageDraw.ImageDraw, random: np.random.Generator, base: float, rise: float, colour: str) -> None:
    """A line of hills across the picture: from `base`, a share of its height, they rise by up to `rise`."""
    width, height = (side * SCALE for side in SIZE)
    heights = np.cumsum(random.normal(0, 1, 24))
    heights = (heights - heights.min()) / (np.ptp(heights) + 1e-9)
    points = [(width * at / 23, height * (base - rise * share)) for at, share in enumerate(heights)]
    draw.polygon([(0, height), *points, (width, height)], fill=colour)


def disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: str) -> None:
    """A disc; all measures are shares of the height of the picture, `x` one of its width."""
    width, height = (side * SCALE for side in SIZE)
    draw.ellipse(
        [width * x - height * radius, height * (y - radius), width * x + height * radius, height * (y + radius)],
        fill=colour,
    )


def box(draw: ImageDraw.ImageDraw, x: float, y: float, right: float, bottom: float, colour: str) -> None:
    """A rectangle, in shares of width and height."""
    width, height = (side * SCALE for side in SIZE)
    draw.rectangle([width * x, height * y, width * right, height * bottom], fill=colour)


def mountains(random: np.random.Generator) -> Image.Image:
    picture = gradient((96, 150, 210), (235, 225, 205))
    draw = ImageDraw.Draw(picture)
    disc(draw, 0.72, 0.22, 0.08, "#fff4c8")
    ridge(draw, random, 0.72, 0.45, "#7f8fa8")
    ridge(draw, random, 0.82, 0.35, "#566b7d")
    ridge(draw, random, 0.95, 0.25, "#33473f")
    return picture


def harbour(random: np.random.Generator) -> Image.Image:
    picture = gradient((150, 190, 220), (60, 105, 140))
    draw = ImageDraw.Draw(picture)
    box(draw, 0, 0.52, 1, 1, "#2f6486")
    for at, colour in zip([0.02, 0.13, 0.22, 0.34, 0.47], ["#c7573f", "#e6d3a3", "#7a5c8e", "#d8a24a", "#b9c7c0"]):
        top = 0.22 + 0.14 * random.random()
        box(draw, at, top, at + 0.1, 0.54, colour)
        for row in range(3):
            box(draw, at + 0.02, top + 0.05 + row * 0.08, at + 0.04, top + 0.09 + row * 0.08, "#3b3b40")
            box(draw, at + 0.06, top + 0.05 + row * 0.08, at + 0.08, top + 0.09 + row * 0.08, "#3b3b40")
    width, height = (side * SCALE for side in SIZE)
    for x, y in [(0.62, 0.72), (0.83, 0.62), (0.2, 0.82)]:
        hull = [(x - 0.09, y), (x + 0.09, y), (x + 0.06, y + 0.06), (x - 0.06, y + 0.06)]
        draw.polygon([(width * a, height * b) for a, b in hull], fill="#f4f1ea")
        draw.polygon([(width * x, height * (y - 0.3)), (width * x, height * y), (width * (x + 0.07), height * y)], fill="#fdfdf5")
    for _ in range(60):
        x, y = random.random(), 0.56 + 0.42 * random.random()
        box(draw, x, y, x + 0.05, y + 0.006, "#4d83a3")
    return picture


def city(random: np.random.Generator) -> Image.Image:
    picture = gradient((18, 22, 48), (120, 70, 90))
    draw = ImageDraw.Draw(picture)
    disc(draw, 0.2, 0.18, 0.06, "#f3eccf")
    at = 0.0
    while at < 1:
        wide, top = 0.06 + 0.07 * random.random(), 0.25 + 0.4 * random.random()
        box(draw, at, top, at + wide, 1, "#141824")
        for row in np.arange(top + 0.03, 0.97, 0.06):
            for column in np.arange(at + 0.012, at + wide - 0.02, 0.022):
                if random.random() < 0.45:
                    box(draw, column, row, column + 0.011, row + 0.028, "#f7d774")
        at += wide + 0.008
    return picture


def desert(random: np.random.Generator) -> Image.Image:
    picture = gradient((246, 214, 160), (222, 150, 90))
    draw = ImageDraw.Draw(picture)
    disc(draw, 0.3, 0.3, 0.1, "#fffbe6")
    ridge(draw, random, 0.75, 0.2, "#c98a4b")
    ridge(draw, random, 0.9, 0.25, "#a9653a")
    for x, tall in [(0.55, 0.32), (0.85, 0.22)]:
        box(draw, x, 0.86 - tall, x + 0.035, 0.9, "#3f6a3c")
        box(draw, x - 0.06, 0.8 - tall / 2, x - 0.03, 0.84 - tall / 3, "#3f6a3c")
        box(draw, x - 0.06, 0.81 - tall / 3, x, 0.85 - tall / 3, "#3f6a3c")
    return picture


def fruit(random: np.random.Generator) -> Image.Image:
    picture = gradient((70, 60, 58), (110, 88, 70))
    draw = ImageDraw.Draw(picture)
    box(draw, 0, 0.68, 1, 1, "#8a5a36")
    for x, y, radius, colour in [
        (0.3, 0.6, 0.17, "#b3261e"),
        (0.5, 0.64, 0.15, "#d9a520"),
        (0.67, 0.58, 0.18, "#6d8b2f"),
        (0.44, 0.74, 0.12, "#8e2a4f"),
    ]:
        disc(draw, x, y, radius, colour)
        disc(draw, x - 0.025, y - radius * 0.4, radius * 0.25, "#e9dcc3")
    box(draw, 0.82, 0.2, 0.9, 0.72, "#2c4b3f")
    box(draw, 0.845, 0.1, 0.875, 0.22, "#2c4b3f")
    return picture.filter(ImageFilter.GaussianBlur(SCALE))


SCENES = {"mountains": mountains, "harbour": harbour, "city": city, "desert": desert, "fruit": fruit}


def cropped(picture: Image.Image, share: float) -> Image.Image:
    """Without this share of width and height, a third of it on the left and above."""
    width, height = picture.size
    left, top = width * share / 3, height * share / 3
    return picture.crop((round(left), round(top), round(left + width * (1 - share)), round(top + height * (1 - share))))


def turned(picture: Image.Image, degrees: float) -> Image.Image:
    """Turned, and cropped so that no corner is empty."""
    turned_picture = picture.rotate(degrees, Image.Resampling.BICUBIC)
    width, height = picture.size
    edge = int(np.ceil(max(width, height) / 2 * np.sin(np.radians(abs(degrees))))) + 1
    return turned_picture.crop((edge, edge, width - edge, height - edge))


def captioned(picture: Image.Image) -> Image.Image:
    copy = picture.copy()
    draw = ImageDraw.Draw(copy)
    draw.rectangle([0, SIZE[1] - 22, SIZE[0], SIZE[1]], fill="#101010")
    draw.text((8, SIZE[1] - 17), "photo of the month", fill="#f0f0f0")
    return copy


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for number, (name, draw) in enumerate(SCENES.items()):
        random = np.random.default_rng(7 + number)
        pictures[name] = with_grain(draw(random), random)
        pictures[name].save(folder / f"{name}.jpg", quality=90)
    half = (SIZE[0] // 2, SIZE[1] // 2)
    pictures["mountains"].resize(half, Image.Resampling.LANCZOS).save(folder / "mountains-small.jpg", quality=85)
    pictures["mountains"].save(folder / "mountains-recompressed.jpg", quality=25)
    ImageEnhance.Brightness(pictures["mountains"]).enhance(1.25).save(folder / "mountains-brighter.webp", quality=80)
    pictures["harbour"].resize(half, Image.Resampling.LANCZOS).save(folder / "harbour-small.gif")
    turned(pictures["harbour"], 2).save(folder / "harbour-turned.jpg", quality=85)
    pictures["harbour"].transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(folder / "harbour-mirrored.jpg", quality=85)
    pictures["city"].convert("L").resize(half, Image.Resampling.LANCZOS).save(folder / "city-grey.png")
    cropped(pictures["city"], 0.04).save(folder / "city-cropped.jpg", quality=85)
    cropped(pictures["desert"], 0.4).save(folder / "desert-detail.jpg", quality=85)
    captioned(pictures["desert"]).save(folder / "desert-captioned.jpg", quality=85)
    (folder / "fruit-copy.jpg").write_bytes((folder / "fruit.jpg").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
