"""Texts as a provider, or somebody at its counter, may send them. All are legal; each once fooled some program.

`as_shown` is what a person has to see: every character itself, or a mark that stands for one without a look of its own.
"""

HOSTILE: tuple[str, ...] = (
    "<img src=x>",
    "<img src='file:///etc/passwd'>",
    '<a href="http://evil.example">click</a>',
    "<b>bold</b> <script>alert(1)</script>",
    "a&lt;b",
    "AT&T & Sons &amp; Co",
    "<html>",
    "<!-- gone",
    "<p>two  blanks   three",
    "  edges  ",
    "100% %1 %n {0} $ink",
    "Acme [*]",
    "\\n \\u0041 %0A",
    "آدرس ۱۲",
    "שלום Rivera",
    "invoice\u202egpj.exe",
    "\u2066isolated\u2069 \u200fmark\u200e",
    "bell\x07 nul\x00 esc\x1b[31m",
    "c1 \x85\x9b",
    "zero\u200bwidth \ufeffbom soft\u00adhyphen",
    "line\u2028sep para\u2029graph",
    "tag\U000e0041\U000e0042",
    "Zoë Núñez ☃ 👩\u200d🚚 e\u0301",
    "=HYPERLINK(1)",
    "a" * 300,
)


def without_hidden(text: str) -> bool:
    """Whether nothing in a shown text steers its direction, hides, or has no look of its own."""
    steering = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
    hiding = {0x200B, 0xFEFF, 0x00AD, 0x2028, 0x2029, 0x2060, *range(0xE0000, 0xE0080)}
    control = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}
    return not any(ord(each) in steering | hiding | control for each in text)
