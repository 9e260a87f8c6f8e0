"""The saved templates of orders as values for every order of a file: what a template fixes is fixed for all rows.

Invariant: nothing of a template is put into orders unseen. A list of which a template fixes several rows is left out:
a file has one value for every row of a list.
"""

from typing import Any

from app.desk.bulk.order_fields import BY_PATH, LINES
from app.desk.desk import Desk
from app.desk.drafts import templates
from app.desk.drafts.templates import Template


async def load(desk: Desk) -> dict[str, dict[str, str]]:
    """The values of each template by path of an `OrderField`, by the template's name. Raises `StoreError`.

    Templates that fix no field of an import are left out.
    """
    found = {each.name: values_of(each) for each in (await templates.load(desk)).all}
    return {name: values for name, values in found.items() if values}


def values_of(template: Template) -> dict[str, str]:
    """The values that a template fixes, by path."""
    found: dict[str, str] = {}
    for path, value in template.fixed.items():
        line = next((each for each in LINES if each == path), None)
        if line is not None:
            found |= _of_rows(line, value)
        elif path in BY_PATH:
            found[path] = str(value)
    return {path: text for path, text in found.items() if text.strip()}


def _of_rows(line: str, rows: Any) -> dict[str, str]:
    filled = [each for each in rows if isinstance(each, dict) and any(str(text).strip() for text in each.values())]
    if len(filled) != 1:
        return {}
    return {path: str(text) for name, text in filled[0].items() if (path := f"{line}.{name}") in BY_PATH}
