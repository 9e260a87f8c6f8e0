"""Reads schemas of a description into shapes: OpenAPI 2, 3.0 and 3.1 in one, because their words do not collide.

Invariants: a schema is read when somebody asks for its parts, never before. One combination of schemas is one shape, so
what refers to itself becomes a circle and no endless tree. At most `_MOST_SHAPES` shapes are made of a description, and
every walk along references or combined schemas is bounded; what lies beyond is of any kind, with a note.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args
from urllib.parse import unquote

from app.desk.console.description import description_words as words
from app.desk.console.forms.exact_json import ABSENT, Absent, Number, Value, same
from app.desk.console.forms.shapes import ANY, NO_BOUNDS, Bounds, Kind, Member, Parts, Shape

_MOST_SHAPES = 20_000
_MOST_PARTS = 60  # schemas that one value must fit at once
_MOST_STEPS = 40  # from reference to reference
_MOST_MEMBERS = 500
_MOST_VALUES = 1_000
_MOST_ALTERNATIVES = 60
_LONGEST_TEXT = 4_000
_KINDS = frozenset(get_args(Kind)) - {"choice", "any"}
_FOLLOWED = frozenset({"$ref", "allOf"})
_CHOSEN = frozenset({"oneOf", "anyOf", "discriminator", "title", "description"})
_UNREAD = ("not", "if", "dependentRequired", "dependentSchemas", "dependencies", "contains", "propertyNames")
Schema = dict[str, Any]


class ShapeReader:
    """The shapes of one description."""

    def __init__(self, document: Value) -> None:
        self._document = document
        self._shapes: dict[tuple[int, ...], Shape] = {}
        self._flats: dict[tuple[int, bool], Schema] = {}
        self._names: dict[int, str] = {}  # of schemas that were referred to, by id
        self._kept: list[Any] = []  # what a key of `_shapes` names by its id must not be collected

    def shape(self, schema: object) -> Shape:
        """The shape of a schema; a shape of any kind for data that is no schema."""
        return self._shape_of([schema])

    def resolved(self, node: object) -> object:
        """The node at the end of a node's references; the node itself where it refers to none."""
        for _ in range(_MOST_STEPS):
            reference = node.get("$ref") if isinstance(node, dict) else None
            if not isinstance(reference, str):
                return node
            found = self.at(reference)
            if found is ABSENT:
                return None
            node = found
        return None

    def at(self, reference: str) -> object:
        """The node at a place of the document; ABSENT if there is none, or the reference leads out of the document."""
        if reference == "#":
            return self._document
        if not reference.startswith("#/"):
            return ABSENT
        node: object = self._document
        for step in unquote(reference[2:]).split("/"):
            # In this order, as RFC 6901 says: `~01` means `~1`.
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and name in node:
                node = node[name]
            elif isinstance(node, list) and name.isascii() and name.isdecimal() and int(name[:9]) < len(node):
                node = node[int(name[:9])]
            else:
                return ABSENT
        return node

    def _shape_of(self, schemas: Sequence[object]) -> Shape:
        """The shape of what fits all these schemas at once."""
        records = [self._target(each) for each in schemas if isinstance(each, dict)]
        if not records:
            return ANY
        # By identity: equal schemas at two places may carry different names. `hold` keeps the ids from being used
        # again.
        key = tuple(sorted({id(each) for each in records}))
        found = self._shapes.get(key)
        if found is None:
            if len(self._shapes) >= _MOST_SHAPES:
                return _any_with(words.TOO_MUCH)
            # Before it is read: what it is made of may lead back to it.
            found = self._shapes[key] = Shape("any")
            self.hold(records)
            self._fill(found, _gathered(self, records))
        return found

    def _target(self, schema: Schema) -> Schema:
        """The schema behind a schema that is only a reference: all references to it share one shape."""
        for _ in range(_MOST_STEPS):
            reference = schema.get("$ref")
            if len(schema) != 1 or not isinstance(reference, str):
                break
            target = self.at(reference)
            if not isinstance(target, dict):
                break
            self._names.setdefault(id(target), _last(reference))
            schema = target
        return schema

    def name_of(self, schema: Schema) -> str:
        """The name under which a schema was referred to, empty if it was not."""
        return self._names.get(id(schema), "")

    def _fill(self, shape: Shape, found: "_Gathered") -> None:
        """Make the shape what its schemas say; the object stays, because others may hold it already."""
        single = self._only_alternative(found)
        if single is not None:
            self._fill(shape, single)
            return
        # First the facts, which cost nothing. The parts come last, and only as functions: nothing below is read before
        # it is asked for.
        kinds, nullable = _kinds_of(found)
        shape.kind = self._kind(found, kinds)
        shape.name, shape.title = found.name, found.text("title")
        shape.description, shape.format = found.text("description"), found.text("format")
        shape.enum, shape.nullable = _enum_of(found), nullable
        default = found.value("default")
        shape.default = ABSENT if default is None else default  # many say null where they mean none
        shape.example = _example_of(found)
        shape.deprecated = found.flag("deprecated")
        shape.bounds = _bounds_of(found)
        shape.notes = tuple(dict.fromkeys(found.notes))
        if shape.kind == "choice":
            self._fill_choice(shape, found, kinds)
        elif shape.kind in {"object", "array"}:
            shape.open_parts = lambda: self._parts_of(found, shape.kind)

    def hold(self, made: object) -> None:
        """Keep a schema that was made here: shapes are known by the ids of their schemas."""
        self._kept.append(made)

    def _flat(self, found: "_Gathered", part: Schema) -> Schema:
        """A schema without what was followed already, and without the choice that was made in it.

        Always the same object for a schema: so a choice that leads back to itself is met again, and stays a circle.
        """
        chosen = part is found.choice_owner or id(part) in found.settled
        dropped = _FOLLOWED | _CHOSEN if chosen else _FOLLOWED
        if dropped.isdisjoint(part):
            return part
        key = (id(part), chosen)
        if key not in self._flats:
            self._flats[key] = {word: said for word, said in part.items() if word not in dropped}
            self.hold(part)
        return self._flats[key]

    def _only_alternative(self, found: "_Gathered") -> "_Gathered | None":
        """All that must fit where every way of a choice but one is null, or two ways say the same of numbers."""
        # Generators write a nullable value as a choice between it and null: in a form it is one field, not a choice.
        rest = _without_whole([each for each in found.choice if not _is_null(self.resolved(each))])
        if len(rest) != 1:
            return None
        inner = _gathered(self, [*found.parts, rest[0]], settled=found.settled | {id(found.choice_owner)})
        null_is_a_way = any(_is_null(self.resolved(each)) for each in found.choice)
        inner.nullable = inner.nullable or found.nullable or null_is_a_way
        return inner

    def _kind(self, found: "_Gathered", kinds: tuple[Kind, ...]) -> Kind:
        if found.choice or len(kinds) > 1:
            return "choice"
        return kinds[0] if kinds else "any"

    def _fill_choice(self, shape: Shape, found: "_Gathered", kinds: tuple[Kind, ...]) -> None:
        shape.exclusive = found.choice_word == "oneOf"
        shape.choose_by, shape.choices = found.discriminator(self)
        if found.choice:
            base = [flat for each in found.parts if (flat := self._flat(found, each))]
            shape.open_parts = lambda: self._alternatives(shape, base, found.choice)
        else:
            shape.open_parts = lambda: self._kinds_as_choice(found, kinds)

    def _alternatives(self, shape: Shape, base: list[Schema], choice: Sequence[object]) -> Parts:
        ways = [each for each in choice if not _is_null(self.resolved(each))][:_MOST_ALTERNATIVES]
        made = [self._shape_of([*base, each]) for each in ways]
        named = [_named(each, _name_of(way)) for each, way in zip(made, ways, strict=True)]
        # A choice that names itself as one of its ways would be opened for ever.
        return Parts(alternatives=tuple(each for each in named if each is not shape))

    def _kinds_as_choice(self, found: "_Gathered", kinds: tuple[Kind, ...]) -> Parts:
        """A schema that allows several kinds: one alternative for each."""
        made = []
        for kind in kinds:
            only = {"type": kind}
            self.hold(only)
            made.append(self._shape_of([*(_without_type(self, each) for each in found.parts), only]))
        return Parts(alternatives=tuple(made))

    def _parts_of(self, found: "_Gathered", kind: Kind) -> Parts:
        if kind == "array":
            return Parts(element=self._element(found))
        required = found.required()
        named = found.member_names()
        # What is required and not described is asked for too.
        names = [*named, *sorted(required.difference(named))][:_MOST_MEMBERS]
        members = tuple(self._member(found, name, required) for name in names)
        return Parts(members=members, others=self._others(found, len(names) == _MOST_MEMBERS))

    def _member(self, found: "_Gathered", name: str, required: frozenset[str]) -> Member:
        schemas = found.schemas_of(name)
        read_only = any(isinstance(each, dict) and each.get("readOnly") is True for each in schemas)
        return Member(name, self._shape_of(schemas), name in required, read_only)

    def _others(self, found: "_Gathered", cut: bool) -> Shape | None:
        said = [each for part in found.parts for each in _additional(part)]
        if cut:
            return _any_with(words.TOO_MANY_MEMBERS)
        # Names that match a pattern are allowed after all. Forms do not read the patterns, so any other name passes.
        if any(each is False for each in said) and not any("patternProperties" in part for part in found.parts):
            return None
        schemas = [each for each in said if isinstance(each, dict) and each]
        return self._shape_of(schemas) if schemas else ANY

    def _element(self, found: "_Gathered") -> Shape:
        items = [each for part in found.parts for each in _items(part)]
        if len(items) > 1 and found.tuple_of_items():
            choice = {"anyOf": items}
            self.hold(choice)
            return self._shape_of([choice])
        return self._shape_of(items) if items else ANY


class _Gathered:
    """All schemas that one value must fit, references followed and `allOf` laid flat."""

    def __init__(self) -> None:
        self.parts: list[Schema] = []
        self.notes: list[str] = []
        self.name = ""
        self.nullable = False
        self.choice: Sequence[object] = ()
        self.choice_word = ""
        self.choice_owner: Schema = {}
        self.settled = frozenset[int]()  # ids of the schemas whose choice was made already

    def text(self, word: str) -> str:
        """The first text under a word."""
        found = (part.get(word) for part in self.parts)
        return next((each for each in found if isinstance(each, str)), "")[:_LONGEST_TEXT]

    def value(self, word: str) -> Value | Absent:
        """The first value under a word."""
        return next((part[word] for part in self.parts if word in part), ABSENT)

    def flag(self, word: str) -> bool:
        """Whether any schema says so."""
        return any(part.get(word) is True for part in self.parts)

    def member_names(self) -> list[str]:
        """The names of all members, in the order of the description."""
        return list(dict.fromkeys(name for part in self.parts for name in _record(part.get("properties"))))

    def schemas_of(self, name: str) -> list[object]:
        """The schemas of a member."""
        return [_record(part.get("properties"))[name] for part in self.parts if name in _record(part.get("properties"))]

    def required(self) -> frozenset[str]:
        """The names of the members that must be there."""
        lists = [part.get("required") for part in self.parts]
        return frozenset(name for each in lists if isinstance(each, list) for name in each if isinstance(name, str))

    def tuple_of_items(self) -> bool:
        """Whether elements have shapes of their own by their place."""
        return any(isinstance(part.get("items"), list) or "prefixItems" in part for part in self.parts)

    def discriminator(self, reader: ShapeReader) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The member that tells which alternative is meant, and the names of alternatives by its values."""
        for part in self.parts:
            said = part.get("discriminator")
            if isinstance(said, str):  # OpenAPI 2
                return said, ()
            if isinstance(said, dict) and isinstance(said.get("propertyName"), str):
                mapping = _record(said.get("mapping"))
                names = [(value, _last(way)) for value, way in mapping.items() if isinstance(way, str)]
                return said["propertyName"], tuple(names[:_MOST_VALUES])
        return "", ()


def _gathered(reader: ShapeReader, schemas: Sequence[object], settled: frozenset[int] = frozenset()) -> _Gathered:
    """Follow references and `allOf` from these schemas on, each one once.

    `settled`: ids of the schemas whose choice was made already. Without it a choice of one way that leads back to
    itself would be made for ever.
    """
    found, waiting, seen = _Gathered(), [*schemas], set[int]()
    found.settled = settled
    while waiting:
        each = waiting.pop(0)
        if not isinstance(each, dict) or id(each) in seen:
            continue
        seen.add(id(each))
        if len(seen) > _MOST_PARTS:
            found.notes.append(words.TOO_NESTED)
            break
        inner = each.get("allOf")
        # At the front, so that members come in the order in which a reader of the description meets them.
        waiting[:0] = [*(inner if isinstance(inner, list) else ()), *_referred(reader, each, found)]
        found.parts.append(each)
        found.name = found.name or reader.name_of(each)
        _take_in(found, each, choice=id(each) not in settled)
    return found


def _referred(reader: ShapeReader, schema: Schema, found: _Gathered) -> Iterator[object]:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return
    target = reader.at(reference)
    if target is ABSENT:
        local = reference.startswith("#")
        found.notes.append(words.no_such_place(reference[:200]) if local else words.elsewhere(reference[:200]))
        return
    found.name = found.name or _last(reference)
    yield target


def _take_in(found: _Gathered, schema: Schema, *, choice: bool) -> None:
    found.nullable = found.nullable or schema.get("nullable") is True or schema.get("x-nullable") is True
    xml = schema.get("xml")
    if isinstance(xml, dict) and isinstance(xml.get("name"), str):
        found.name = xml["name"]
    if any(word in schema for word in _UNREAD):
        found.notes.append(words.CONDITIONS)
    for word in ("oneOf", "anyOf"):
        ways = schema.get(word)
        if not choice or not isinstance(ways, list) or not any(isinstance(each, dict) for each in ways):
            continue
        if found.choice:
            found.notes.append(words.SEVERAL_CHOICES)
        else:
            found.choice, found.choice_word, found.choice_owner = ways, word, schema


def _kinds_of(found: _Gathered) -> tuple[tuple[Kind, ...], bool]:
    """The kinds that a value may have, and whether it may be null besides."""
    allowed: list[str] | None = None
    for part in found.parts:
        said = part.get("type")
        kinds = (
            [said]
            if isinstance(said, str)
            else [each for each in said if isinstance(each, str)]
            if isinstance(said, list)
            else []
        )
        # `file` is a type of OpenAPI 2 alone, for what a form uploads.
        kinds = [{"file": "string"}.get(each, each) for each in kinds]
        kinds = [each for each in kinds if each in _KINDS]
        if kinds:
            allowed = kinds if allowed is None else _common(allowed, kinds)
    if allowed is None:
        allowed = _guessed(found)
    nullable = found.nullable or ("null" in allowed and len(allowed) > 1)
    rest = [each for each in allowed if each != "null"] if len(allowed) > 1 else allowed
    # Every whole number is a number: the two together say no more than the second.
    if "number" in rest and "integer" in rest:
        rest.remove("integer")
    return tuple(dict.fromkeys(rest)), nullable  # type: ignore[arg-type]


def _common(one: list[str], other: list[str]) -> list[str]:
    wide = {*one, *(["integer"] if "number" in one else [])}
    # Several schemas at once allow what all of them allow. An integer is among the numbers, in either order.
    both = [each for each in other if each in wide]
    return both or [each for each in one if each == "integer" and "number" in other]


def _guessed(found: _Gathered) -> list[str]:
    """The kind of a schema that does not name one, by what else it says."""
    words_of = {word for part in found.parts for word in part}
    if words_of & {"properties", "additionalProperties", "minProperties", "maxProperties"}:
        return ["object"]
    if words_of & {"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}:
        return ["array"]
    if words_of & {"minLength", "maxLength", "pattern"}:
        return ["string"]
    if words_of & {"minimum", "maximum", "multipleOf"}:
        return ["number"]
    allowed = _enum_of(found)
    kinds = dict.fromkeys(_kind_of(each) for each in allowed)
    return list(kinds) if len(kinds) == 1 or (len(kinds) == 2 and "null" in kinds) else []


def _kind_of(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        return "number"
    return {str: "string", list: "array", dict: "object"}[type(value)]


def _enum_of(found: _Gathered) -> tuple[Value, ...]:
    allowed: list[Value] | None = None
    for part in found.parts:
        said = part.get("enum")
        values = [part["const"]] if "const" in part else said if isinstance(said, list) else None
        if not values:
            continue
        if len(values) > _MOST_VALUES:
            found.notes.append(words.TOO_MANY_VALUES)
            continue
        # Lists that have nothing in common are a mistake of the description: the first one stays, so the form offers
        # something.
        both = values if allowed is None else [each for each in allowed if any(same(each, other) for other in values)]
        allowed = both or allowed
    return tuple(allowed or ())


def _example_of(found: _Gathered) -> Value | Absent:
    for part in found.parts:
        several = part.get("examples")
        if isinstance(several, list) and several:
            return several[0]  # type: ignore[no-any-return]
        if "example" in part:
            return part["example"]  # type: ignore[no-any-return]
    return ABSENT


def _bounds_of(found: _Gathered) -> Bounds:
    bounds = NO_BOUNDS
    for part in found.parts:
        bounds = _tightened(bounds, part)
    return bounds


def _tightened(bounds: Bounds, part: Schema) -> Bounds:
    changed: dict[str, Any] = {}
    least, above = _least(part)
    if least is not None and (bounds.minimum is None or least >= bounds.minimum):
        changed |= {"minimum": least, "above_minimum": above}
    most, below = _most(part)
    if most is not None and (bounds.maximum is None or most <= bounds.maximum):
        changed |= {"maximum": most, "below_maximum": below}
    step = _number(part.get("multipleOf"))
    if step is not None and step > 0:
        changed["multiple_of"] = step
    for name, word, pick in _COUNTS:
        # Of several schemas the tighter bound counts, because a value must fit all of them.
        said, held = _count(part.get(word)), getattr(bounds, name)
        if said is not None:
            changed[name] = said if held is None else pick(said, held)
    pattern = part.get("pattern")
    if isinstance(pattern, str):
        changed["pattern"] = pattern[:_LONGEST_TEXT]
    if part.get("uniqueItems") is True:
        changed["unique_items"] = True
    return replace(bounds, **changed) if changed else bounds


_COUNTS = (
    ("min_length", "minLength", max),
    ("max_length", "maxLength", min),
    ("min_items", "minItems", max),
    ("max_items", "maxItems", min),
    ("min_members", "minProperties", max),
    ("max_members", "maxProperties", min),
)


def _least(part: Schema) -> tuple[Decimal | None, bool]:
    """The least number, and whether it is itself left out: a flag in OpenAPI 2 and 3.0, a number of its own in 3.1."""
    said, strict = part.get("minimum"), part.get("exclusiveMinimum")
    least, above = _number(said), _number(strict)
    if above is not None and (least is None or above >= least):
        return above, True
    return least, strict is True


def _most(part: Schema) -> tuple[Decimal | None, bool]:
    said, strict = part.get("maximum"), part.get("exclusiveMaximum")
    most, below = _number(said), _number(strict)
    if below is not None and (most is None or below <= most):
        return below, True
    return most, strict is True


def _number(said: object) -> Decimal | None:
    if not isinstance(said, Number):
        return None
    exact = said.exact
    return exact if exact.is_finite() else None


def _count(said: object) -> int | None:
    exact = _number(said)
    # `adjusted` first: `int()` of 1E+999999 would take minutes.
    whole = exact is not None and exact >= 0 and exact.adjusted() < 10 and exact == exact.to_integral_value()
    return int(exact) if whole and exact is not None else None


def _record(said: object) -> Schema:
    return said if isinstance(said, dict) else {}


def _additional(part: Schema) -> Iterator[object]:
    for word in ("additionalProperties", "unevaluatedProperties"):
        if word in part:
            yield part[word]


def _items(part: Schema) -> Iterator[object]:
    for word in ("prefixItems", "items"):
        said = part.get(word)
        if isinstance(said, list):
            yield from said[:_MOST_ALTERNATIVES]
        elif isinstance(said, dict):
            yield said


def _is_null(schema: object) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "null" or schema.get("enum") == [None])


def _without_type(reader: ShapeReader, schema: Schema) -> Schema:
    kept = {word: said for word, said in schema.items() if word not in {"type", "allOf", "$ref"}}
    reader.hold(kept)
    return kept


def _name_of(schema: object) -> str:
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    return _last(reference) if isinstance(reference, str) else ""


def _last(reference: str) -> str:
    return unquote(reference.rpartition("/")[2].replace("~1", "/").replace("~0", "~"))[:200]


def _named(shape: Shape, name: str) -> Shape:
    """The shape under the name by which the choice refers to it."""
    return shape if not name or shape.name == name else replace(shape, name=name)


def _without_whole(ways: list[object]) -> list[object]:
    """The shapes without whole numbers that stand beside numbers of the same bounds, which say nothing more."""
    records = [each for each in ways if isinstance(each, dict)]
    if len(ways) == 2 and sorted(str(each.get("type")) for each in records) == ["integer", "number"]:
        one, other = ({word: said for word, said in each.items() if word != "type"} for each in records)
        if one == other:
            return [each for each in records if each["type"] == "number"]
    return ways


def _any_with(note: str) -> Shape:
    return Shape("any", notes=(note,))
