"""The photos of audits as files to be saved: audit, place and question make their names."""

from collections.abc import Iterable

from app.desk.files.save_files import Wanted, own_name, safe_stem
from app.desk.report.audit_report import AuditStory
from app.desk.text.file_names import plain_name


def photos_to_save(stories: Iterable[AuditStory], only: str = "") -> list[Wanted]:
    """Each photo once, in the order of the questions; `only` one address."""
    found: dict[tuple[int, str], Wanted] = {}
    for story in stories:
        number = story.told.line.number
        for place, answer in enumerate(story.told.answers, 1):
            key = (number, answer.photo or "")
            if not answer.photo or key in found or (only and answer.photo != only):
                continue
            name = own_name(plain_name(answer.photo.split("?")[0].split("#")[0]))
            stem = safe_stem(f"audit {number}", f"{place:02}", answer.question or "", name, nothing="photo")
            found[key] = Wanted(answer.photo, stem, f"Photo {place} of audit {number}")
    return list(found.values())
