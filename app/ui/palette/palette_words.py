"""The titles and sentences of the command palette, so that they are reviewed and translated in one place."""

from app.translation import translate, translate_plural

SEARCH_OR_COMMAND = translate("Search or command")
HINT = translate("An order or audit by its number, a name, an action, a page, a setting")
MATCHES_NAME = translate("Matches")
NO_MATCH = translate("No match.")
HELP = translate("Up and Down choose · Enter runs it · Esc closes")

# Soft details beside a title
PAGE, THIS_PAGE, VIEW = translate("page"), translate("this page"), translate("view")
PAGE_OFF = translate("switched off by your administrator")
AUDITS_VIEW = translate("view of audits")
ORDERS, CONNECTION = translate("orders"), translate("connection")
ORDER_REFERENCE, SYSTEM_NUMBER = translate("order reference"), translate("system number")
LOAD, SETTINGS, AUDIT = translate("load"), translate("settings"), translate("Audit")
TEMPLATE_OF = {"quotes": translate("template of a quote"), "trucks": translate("template of a truck")}
ALL_KEYS = translate("all of them in one list")

# Titles
REFRESH_ORDERS, NEW_ORDER = translate("Refresh orders"), translate("New order")
TOUR = translate("First minutes: a tour in practice")
KEYS, CLOSE = translate("Keys"), translate("Close Waybill")
THEMES = {
    "system": translate("Theme: System"),
    "light": translate("Theme: Light"),
    "dark": translate("Theme: Dark"),
    "light-contrast": translate("Theme: Light, high contrast"),
    "dark-contrast": translate("Theme: Dark, high contrast"),
}

# Words that find a command and are not shown
ALSO_SELECTED, ALSO_GO = translate("selected rows"), translate("go to")
# What begins on a page, in the words of whoever looks for it from another one.
ALSO_PAGES = {
    "bulk": translate("open a file of orders, spreadsheet, table"),
    "audits": translate("photos, scores"),
    "loads": translate("overage"),
}
ALSO_THEME, ALSO_ENTER = translate("look appearance"), translate("enter")
ALSO_HELP, ALSO_QUIT = translate("help shortcuts"), translate("quit exit")


def also_page(name: str) -> str:
    """The further words by which a page is found."""
    return f"{ALSO_GO} {ALSO_PAGES.get(name, '')}"


def selected(orders: int) -> str:
    """The detail beside an action on selected rows."""
    return translate_plural("the order selected", "{count:,} orders selected", orders)


def in_settings(section: str) -> str:
    """The detail beside an action that stands in this section of Settings."""
    return translate("settings, {section}", section=section)


def sort_by(column: str) -> str:
    """A command that sorts the orders."""
    return translate("Sort by {column}", column=column)


def use(connection: str) -> str:
    """A command that changes the connection."""
    return translate("Use {connection}", connection=connection)


def order_title(number: int) -> str:
    """An order without a reference."""
    return translate("Order {number}", number=number)


def audit_title(number: int) -> str:
    """An audit."""
    return translate("Audit {number}", number=number)


def score(figure: str) -> str:
    """The score of an audit."""
    return translate("score {figure}", figure=figure)


def look_up(text: str) -> str:
    """A command that asks the provider about a reference or number."""
    return translate("Look up the status of {text}", text=text)


def overage_of(text: str) -> str:
    """A command that shows a load."""
    return translate("Overage of load {text}", text=text)


def asking_about(text: str) -> str:
    """The provider is being asked."""
    return translate("Asking the provider about {text}…", text=text)


def answer(text: str, sentence: str, at: str) -> str:
    """The provider's answer, and when it was asked."""
    return translate("{text}: {sentence} Asked at {at}.", text=text, sentence=sentence, at=at)
