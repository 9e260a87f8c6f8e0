"""Named templates of orders: which fields are fixed, and which the keyboard goes to each time.

Invariant: an order that begins from a template has the fixed values and nothing else. "Submit and next" keeps the
values that the fixed fields had in the order before.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from app.contract.draft import ConsigneeDraft, FreightDraft, OrderDraft
from app.desk.desk import Desk
from app.store.journal import template_store

# The paths of a draft that can be fixed. A reference and a barcode belong to one order alone.
_OWN = ("orderReferenceNumber", "consignee", "barcoding", "filled")
PATHS: tuple[str, ...] = (
    *(each.name for each in fields(OrderDraft) if each.name not in (*_OWN, "freightDetails", "otherReferenceNumbers")),
    *(f"consignee.{each.name}" for each in fields(ConsigneeDraft)),
    "freightDetails",
    "barcoding.receivingLoadNumber",
    "otherReferenceNumbers",
)
ASKABLE: tuple[str, ...] = ("orderReferenceNumber", *PATHS)


@dataclass(frozen=True, slots=True)
class Template:
    """`fixed` holds the values by path; `asked` are the paths that the keyboard goes to, in the form's order."""

    name: str
    fixed: Mapping[str, Any]
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Templates:
    """All of a profile, in the order in which they were made; `default` is the one that new orders begin with.

    `begun` names the template of each open draft that was begun from one.
    """

    all: tuple[Template, ...] = ()
    default: Template | None = None
    begun: Mapping[str, str] = field(default_factory=dict)

    def named(self, name: str) -> Template | None:
        """The template of this name."""
        return next((each for each in self.all if each.name == name), None)


async def load(desk: Desk) -> Templates:
    """The templates of the desk's profile. Raises `StoreError`."""
    record = await desk.journal.read(template_store.read_templates, desk.profile.id)
    found = tuple(_read(str(name), each) for name, each in record["templates"].items())
    begun = await desk.journal.read(template_store.read_begun, desk.profile.id)
    return Templates(found, next((each for each in found if each.name == record["default"]), None), begun)


async def save(desk: Desk, template: Template, *, default: bool) -> None:
    """Store a template; it replaces one of the same name. Raises `StoreError`."""
    await desk.journal.write(
        template_store.write_template, desk.profile.id, template.name, record_of(template), default=default
    )


async def note_begun(desk: Desk, draft_id: str, name: str) -> None:
    """Store with a saved draft the template that it was begun from. Raises `StoreError`."""
    await desk.journal.write(template_store.write_begun, desk.profile.id, draft_id, name)


async def delete(desk: Desk, name: str) -> None:
    """Forget a template. Raises `StoreError`."""
    await desk.journal.write(template_store.delete_template, desk.profile.id, name)


def made_of(name: str, draft: OrderDraft, fixed: Iterable[str], asked: Iterable[str]) -> Template:
    """A template with the values of these fields of a draft."""
    wanted, asks = set(fixed), set(asked)
    values = {path: value_at(draft, path) for path in PATHS if path in wanted}
    return Template(name, values, tuple(path for path in ASKABLE if path in asks - wanted))


def begin(template: Template | None) -> OrderDraft:
    """A new order: blank, or with the fixed values of the template. Its first freight line is ready."""
    record = OrderDraft().to_dict()
    for path, value in ({} if template is None else template.fixed).items():
        _put(record, path, value)
    draft = OrderDraft.from_dict(record)
    draft.freightDetails = draft.freightDetails or [FreightDraft()]
    return draft


def next_after(template: Template | None, sent: OrderDraft) -> OrderDraft:
    """The order after `sent`: the fixed fields of the template, with their values in `sent`."""
    if template is None:
        return begin(None)
    return begin(Template(template.name, {path: value_at(sent, path) for path in template.fixed}, template.asked))


def filled(draft: OrderDraft, paths: Iterable[str] = PATHS) -> list[str]:
    """The paths whose fields are not empty."""
    return [path for path in paths if _holds(value_at(draft, path))]


def value_at(draft: OrderDraft, path: str) -> Any:
    """The value at a path, as JSON-able data."""
    value: Any = draft
    for name in path.split("."):
        value = getattr(value, name)
    # Saving a row in a template accepts its guesses, so their marks are left out.
    rows = value if isinstance(value, list) else []
    return [{name: text for name, text in asdict(each).items() if name != "filled"} for each in rows] or (
        [] if isinstance(value, list) else value
    )


def _holds(value: object) -> bool:
    if isinstance(value, list):
        return any(_holds(each) for each in value)
    if isinstance(value, dict):
        return any(_holds(each) for each in value.values())
    return bool(str(value).strip())


def _put(record: dict[str, Any], path: str, value: object) -> None:
    *parents, name = path.split(".")
    for parent in parents:
        record = record[parent]
    record[name] = value


def record_of(template: Template) -> dict[str, Any]:
    """A template as it is stored and shared, without its name."""
    return {"fixed": dict(template.fixed), "asked": list(template.asked)}


def read_shared(name: str, record: Mapping[str, Any]) -> Template | None:
    """A template that somebody else shares; None if its values are not those of an order's fields."""
    found = _read(name, record)
    blank = OrderDraft()
    # Compared with a blank order, because another desk may share anything: a list where a form expects text would break
    # it.
    sound = all(_is_alike(value_at(blank, path), value) for path, value in found.fixed.items())
    return found if sound else None


def _is_alike(blank: object, value: object) -> bool:
    """Whether a value is of the sort that a field holds: a text, a yes or no, or rows of these."""
    if isinstance(blank, list):
        return isinstance(value, list) and all(
            isinstance(row, dict) and all(isinstance(each, str | bool) for each in row.values()) for row in value
        )
    return type(value) is type(blank)


def _read(name: str, record: object) -> Template:
    """A template from stored data; unknown paths are ignored."""
    data = record if isinstance(record, dict) else {}
    fixed, asked = data.get("fixed"), data.get("asked")
    values = {path: fixed[path] for path in PATHS if path in fixed} if isinstance(fixed, dict) else {}
    return Template(name, values, tuple(path for path in ASKABLE if isinstance(asked, list) and path in asked))
