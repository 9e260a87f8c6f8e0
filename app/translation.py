"""Sentences that people read, in the language in which they read them. There is English only so far.

Invariant: a sentence is handed over whole, with names in braces for what changes:
`translate("{name} is full.", name=…)`. So a translator sees it as it stands on screen, and the usual tools collect all
of them (`xgettext --keyword=translate --keyword=translate_plural:1,2`). Values are put in last, and never read as a
pattern.
"""

import gettext

_catalogue = gettext.NullTranslations()


def translate(sentence: str, /, **values: object) -> str:
    """The sentence in the person's language, with its `values` put in."""
    found = _catalogue.gettext(sentence)
    return found.format(**values) if values else found


def translate_plural(one: str, other: str, count: int, /, **values: object) -> str:
    """The form of a sentence that fits `count`, which stands in it as `{count}` or `{count:,}`.

    Languages have one form, two or more: which one is right is for the catalogue to say, never for the caller.
    """
    return _catalogue.ngettext(one, other, count).format(count=count, **values)
