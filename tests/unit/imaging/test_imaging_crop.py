"""A picture that is scaled in two halves equals one that is scaled at once."""

import pytest
from PIL import Image, ImageChops

from app.imaging.child.crop import cut_out

_WHOLE = (300, 225)


@pytest.mark.parametrize(
    ("box", "target"),
    [
        ((0, 0, *_WHOLE), (267, 200)),
        ((0, 0, *_WHOLE), (31, 23)),
        ((17, 40, 222, 139), (101, 49)),
        ((0, 0, *_WHOLE), (290, 1)),
        ((0, 0, *_WHOLE), (76, 57)),
        ((0, 0, *_WHOLE), (4, 2)),
    ],
)
def test_no_border_is_seen_between_the_halves(box: tuple[int, int, int, int], target: tuple[int, int]) -> None:
    picture = Image.effect_noise(_WHOLE, 90).convert("RGB")
    at_once = picture.resize(target, Image.Resampling.HAMMING, box=box, reducing_gap=2.0)
    made = cut_out(picture, box, 1.0, target)
    assert made.size == target
    apart = ImageChops.difference(made, at_once).point(lambda level: 255 * (level > 1))
    assert apart.getbbox() is None, "only rounding may differ"
