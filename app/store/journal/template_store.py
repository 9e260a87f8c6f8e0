"""Templates of orders, by profile, among the settings of the journal. What a template holds is the desk's business."""

from typing import Any

import apsw

from app.store.journal.setting_store import read_setting, write_setting
from app.store.sqlite.plain_rows import rows

Record = dict[str, Any]


def read_templates(c: apsw.Connection, profile: str) -> Record:
    """The templates of a profile by name, in the order in which they were made, and the name of the one that every new
    order begins with: `{"templates": {...}, "default": name}`."""
    kept = read_setting(c, _key(profile))
    record = kept if isinstance(kept, dict) else {}
    templates = record.get("templates")
    return {"templates": templates if isinstance(templates, dict) else {}, "default": str(record.get("default") or "")}


def write_template(c: apsw.Connection, profile: str, name: str, template: Record, *, default: bool) -> None:
    """Keep a template under its name, in place of one of that name; `default` says whether new orders begin with it."""
    record = read_templates(c, profile)
    record["templates"][name] = template
    if default:
        record["default"] = name
    elif record["default"] == name:
        record["default"] = ""
    write_setting(c, _key(profile), record)


def delete_template(c: apsw.Connection, profile: str, name: str) -> None:
    """Forget a template."""
    record = read_templates(c, profile)
    record["templates"].pop(name, None)
    if record["default"] == name:
        record["default"] = ""
    write_setting(c, _key(profile), record)


def read_begun(c: apsw.Connection, profile: str) -> dict[str, str]:
    """From which template a draft was begun, by the draft's id."""
    kept = read_setting(c, _begun_key(profile))
    return {str(draft): str(name) for draft, name in kept.items()} if isinstance(kept, dict) else {}


def write_begun(c: apsw.Connection, profile: str, draft_id: str, name: str) -> None:
    """Note from which template a draft was begun; what is noted of drafts that are not open any more is forgotten."""
    still = {each for (each,) in rows(c, "SELECT id FROM drafts WHERE profile = ? AND closed_at IS NULL", (profile,))}
    begun = {draft: template for draft, template in read_begun(c, profile).items() if draft in still}
    write_setting(c, _begun_key(profile), begun | {draft_id: name})


def _key(profile: str) -> str:
    return f"templates.{profile}"


def _begun_key(profile: str) -> str:
    return f"templates.begun.{profile}"
