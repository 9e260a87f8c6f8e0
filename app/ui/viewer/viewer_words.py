"""The sentences of the photo viewer, in one place to be reviewed and translated.

Invariant: each function returns whole sentences; `translate` puts the values in. Button titles and tooltips stand at
their widgets.
"""

from collections.abc import Sequence
from datetime import datetime

from app.desk.files.album import NoPicture
from app.desk.text.file_names import plain_name
from app.imaging.pixels import Pixels
from app.translation import translate, translate_plural
from app.ui.viewer.photo import Photo
from app.ui.widgets.text.labels import visible
from app.ui.widgets.text.times import moment

NO_PHOTO = translate("No photo")
NO_PHOTOS = translate("No photos")
NOT_KNOWN_YET = translate("Photos come with the questions.")
NOT_DRAWN = translate("The drawings could not be put on it.")
NO_PHOTO_HERE = translate("This answer has no photo.")
LOADING = translate("Loading the photo…")
NO_PICTURE = translate("✕ No picture")  # where there is no room for the reason, which the tooltip tells


def pane_name(photo: Photo | None) -> str:
    """What a screen reader calls a pane."""
    return NO_PHOTO if photo is None else visible(translate("Photo: {caption}", caption=photo.caption))


def pane_state(photo: Photo | None, trouble: NoPicture | None, *, loaded: bool, sharp: bool) -> str:
    """What a screen reader tells of a pane besides its name."""
    if photo is None:
        return NO_PHOTO
    if not loaded:
        return LOADING if trouble is None else trouble.sentence
    marks = len(photo.review.marks)
    facts = [translate("Shown") if sharp else translate("Shown, not sharp yet")]
    facts += [translate_plural("{count} mark", "{count} marks", marks)] if marks else []
    facts += [translate("flagged")] if photo.review.flagged else []
    facts += [] if trouble is None else [trouble.sentence]
    return ", ".join(facts)


def no_photo_texts(photo: Photo | None, trouble: NoPicture | None, none: str) -> Sequence[str]:
    """The texts for a pane that shows nothing, the longest one first; `none` says that it has no photo."""
    if photo is None:
        return (none,)
    if trouble is None:
        return (LOADING,)
    if not trouble.again:
        return (trouble.sentence, NO_PICTURE)
    again = translate("{trouble}\n\nPress Shift+T or click to fetch it again.", trouble=trouble.sentence)
    return (again, trouble.sentence, NO_PICTURE)


def thumbnail_words(number: int, photo: Photo) -> str:
    """A photo of the film strip."""
    if photo.poor and photo.review.flagged:
        return translate("Photo {number}: {caption}, low or failed, flagged", number=number, caption=photo.caption)
    if photo.poor:
        return translate("Photo {number}: {caption}, low or failed", number=number, caption=photo.caption)
    if photo.review.flagged:
        return translate("Photo {number}: {caption}, flagged", number=number, caption=photo.caption)
    return translate("Photo {number}: {caption}", number=number, caption=photo.caption)


def place_words(number: int, count: int, caption: str) -> str:
    """Which photo of how many is shown, and the answer it belongs to."""
    return translate("{number} of {count} · {caption}", number=number, count=count, caption=caption)


def file_words(photo: Photo, pixels: Pixels | None, trouble: NoPicture | None) -> str:
    """The name of the photo's file, and what the file says of itself."""
    facts = [plain_name(photo.address.rpartition("/")[2]) or photo.address]
    if pixels is not None:
        found = pixels.facts
        facts += [f"{found.full.width:,} × {found.full.height:,}", found.format]
        facts += [translate("page 1 of {count:,}", count=found.pages)] if found.pages > 1 else []
        facts += [_first_of(found.frames)] if found.frames > 1 else []
        facts += [taken_words(found.taken), found.camera]
        facts += [translate("the end of the file is missing")] if found.cut_off else []
        facts += [] if trouble is None else [trouble.sentence]
    return " · ".join(each for each in facts if each)


def _first_of(frames: int) -> str:
    return translate_plural("the first of {count:,} picture", "the first of {count:,} pictures", frames)


def taken_words(taken: str) -> str:
    """When a camera says that a photo was taken; the camera's own words where they are no time."""
    try:
        return moment(datetime.strptime(taken, "%Y:%m:%d %H:%M:%S"))
    except ValueError:
        return taken
