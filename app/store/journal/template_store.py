"""Templates of orders, by profile, among the settings of the journal. The desk defines what a template holds."""

from typing import Any

import apsw

from app.store.journal.setting_store import read_setting, write_setting
from app.store.sqlite.plain_rows import rows

Record = dict[str, Any]


def read_templates(c: apsw.Connection, profile: str) -> Record:
    """The templates of a profile, `{"templates": {...}, "default": name}`: by name, oldest first.

    Every new order begins with the template named by `default`, unless that is empty.
    """
    found = read_setting(c, _key(profile))
    record = found if isinstance(found, dict) else {}
    templates = record.get("templates")
    return {"templates": templates if isinstance(templates, dict) else {}, "default": str(record.get("default") or "")}


def write_template(c: apsw.Connection, profile: str, name: str, template: Record, *, default: bool) -> None:
    """Store a template, in place of one with this name. `default` says whether every new order begins with it."""
    record = read_templates(c, profile)
    record["templates"][name] = template
    if default:
        record["default"] = name
    elif record["default"] == name:
        record["default"] = ""
    write_setting(c, _key(profile), record)


def delete_template(c: apsw.Connection, profile: str, name: str) -> None:
    """Delete a template. New orders begin empty if it was the default."""
    record = read_templates(c, profile)
    record["templates"].pop(name, None)
    if record["default"] == name:
        record["default"] = ""
    write_setting(c, _key(profile), record)


def read_begun(c: apsw.Connection, profile: str) -> dict[str, str]:
    """The name of the template that each draft was begun from, by the draft's id."""
    found = read_setting(c, _begun_key(profile))
    return {str(draft): str(name) for draft, name in found.items()} if isinstance(found, dict) else {}


def write_begun(c: apsw.Connection, profile: str, draft_id: str, name: str) -> None:
    """Store the template that a draft was begun from, and drop the entries of drafts that are closed by now."""
    opened = {each for (each,) in rows(c, "SELECT id FROM drafts WHERE profile = ? AND closed_at IS NULL", (profile,))}
    begun = {draft: template for draft, template in read_begun(c, profile).items() if draft in opened}
    write_setting(c, _begun_key(profile), begun | {draft_id: name})


def _key(profile: str) -> str:
    return f"templates.{profile}"


def _begun_key(profile: str) -> str:
    return f"templates.begun.{profile}"
