"""The drafts of quotes and trucks before they are sent, and templates of them; both belong to one connection.

Bodies are JSON text, so that every number and name stays as it was typed. Kept among the settings of the journal.
"""

from collections.abc import Mapping

from app.desk.connections.connection_choices import keep_choice, read_choice
from app.desk.desk import Desk
from app.desk.requests import requests_words as words

LONGEST_NAME = 60
MOST_TEMPLATES = 100


class TemplateRefused(ValueError):
    """A template that was not kept; the argument is a sentence."""


async def read_draft(desk: Desk, operation: str) -> str:
    """The draft that was typed last and not sent, as JSON text; empty for none. Raises `StoreError`."""
    found = await read_choice(desk, f"draft.{operation}")
    return found if isinstance(found, str) else ""


async def keep_draft(desk: Desk, operation: str, body: str) -> None:
    """Keep what is typed; an empty text for nothing. Raises `StoreError`."""
    await keep_choice(desk, f"draft.{operation}", body)


async def read_templates(desk: Desk, operation: str) -> Mapping[str, str]:
    """The templates by name, in the order of their names. Raises `StoreError`."""
    found = await read_choice(desk, f"templates.{operation}")
    if not isinstance(found, dict):
        return {}
    texts = {str(name): body for name, body in found.items() if isinstance(body, str)}
    return dict(sorted(texts.items(), key=lambda each: each[0].casefold()))


def template_name_trouble(name: str) -> str:
    """Why a template cannot have this name; empty if it can."""
    if not name:
        return words.TEMPLATE_NEEDS_NAME
    return words.template_name_too_long(LONGEST_NAME, len(name)) if len(name) > LONGEST_NAME else ""


async def keep_template(desk: Desk, operation: str, name: str, body: str) -> None:
    """Keep a template, in place of one of this name. Raises `TemplateRefused` and `StoreError`."""
    title = " ".join(name.split())
    templates = dict(await read_templates(desk, operation))
    same = next((each for each in templates if each.casefold() == title.casefold()), None)
    if trouble := template_name_trouble(title):
        raise TemplateRefused(trouble)
    if same is None and len(templates) >= MOST_TEMPLATES:
        raise TemplateRefused(words.too_many_templates(MOST_TEMPLATES))
    if same is not None:
        del templates[same]
    await keep_choice(desk, f"templates.{operation}", {**templates, title: body})


async def delete_template(desk: Desk, operation: str, name: str) -> str:
    """Delete a template; returns its body, so that it can be brought back. Raises `StoreError`."""
    templates = dict(await read_templates(desk, operation))
    body = templates.pop(name, "")
    await keep_choice(desk, f"templates.{operation}", templates)
    return body
