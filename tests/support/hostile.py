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

# Where a text leads astray, it leads to one of these; `baited` puts real ones in their place, which tell if they are
# opened.
_FILE, _WEB = "file:///waybill-bait", "http://waybill.invalid"
SIXTY: tuple[str, ...] = (
    *HOSTILE,
    f"<img src='{_FILE}/bait.png'>",
    f"<img src='{_WEB}/bait.png' width=9>",
    f"<a href='{_FILE}/bait.html'>open</a> me",
    f"<link rel=stylesheet href='{_FILE}/bait.css'>text",
    f"<style>@import url({_WEB}/bait.css)</style>shown",
    f"<body background='{_FILE}/bait.png'>body",
    f"<table background='{_WEB}/bait.png'><tr><td>cell</td></tr></table>",
    f"<iframe src='{_WEB}'></iframe>",
    f"<object data='{_FILE}/bait.html'></object>",
    f"<meta http-equiv=refresh content='0;url={_WEB}'>",
    f"<svg xmlns='http://www.w3.org/2000/svg'><image href='{_FILE}/bait.png'/></svg>",
    f"![picture]({_FILE}/bait.png) and [link]({_WEB})",
    f"{_WEB}/bait.html",
    f"{_FILE}/bait.html",
    "qrc:/icons/bait.svg <img src='qrc:/icons/bait.svg'>",
    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><a>&x;</a>",
    "<![CDATA[ kept ]]>",
    "</div></td></table></body></html> after the end",
    "<textarea><title>unclosed",
    "<pre>one\ttwo</pre>",
    "<br/>after a break<hr>",
    "&#60;b&#62; &#x3c;i&#x3e; &nbsp; &copy",
    "&&double && &single",
    "tab\tbetween\nand a line\r\nbreak",
    "{{7*7}} ${7*7} %(name)s {name!r}",
    "'; DROP TABLE orders; --",
    "@SUM(1)+cmd|' /C calc'!A0",
    "-2+3+cmd",
    "../../etc/passwd",
    "CON.txt:stream",
    "Ctrl+Q\x08\x08\x7f",
    "e\u0301\u0301\u0301\u0301 Z\u0337\u0335a\u0334l\u0336g\u0338o",
    "\ufdfd\u1d2b \U0001d573\U0001d58a\U0001d591\U0001d591\U0001d594",
    "ﬁrst ＜b＞wide＜/b＞",
    "العربية <b>\u202dbold\u202c</b> עברית",
)


def baited(file_url: str, web_url: str) -> tuple[str, ...]:
    """The sixty, with a file that is there and an address that answers."""
    return tuple(each.replace(_FILE, file_url).replace(_WEB, web_url) for each in SIXTY)


_STEERING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_HIDING = {0x200B, 0xFEFF, 0x00AD, 0x2028, 0x2029, 0x2060, *range(0xE0000, 0xE0080)}
_CONTROL = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}
_NEVER_SHOWN = _STEERING | _HIDING | _CONTROL


def without_hidden(text: str) -> bool:
    """Whether nothing in a shown text steers its direction, hides, or has no look of its own."""
    return _NEVER_SHOWN.isdisjoint(map(ord, text))
