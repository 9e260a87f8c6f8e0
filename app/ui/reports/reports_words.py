"""What reports say, and what is said about them."""

from app.translation import translate, translate_plural

CRASH_TITLE = translate("Waybill ended unexpectedly")
CRASH_HELP = translate(
    "This is all that was noted. It names lines of the program and what the program runs on: no order, no person, no "
    "address, no secret. Nothing is sent; copy it if you want to pass it on."
)
CRASHED = translate("Waybill ended unexpectedly the last time. What was typed and sent before is kept.")
BROKEN_OFF = translate(
    "Waybill was broken off the last time: it was ended from outside, or the desktop or the computer went off. "
    "What was typed and sent before is kept."
)
SAFE = translate(
    "Waybill failed twice in a row, so this is a safe start: it has not connected, and fetches and sends nothing "
    "by itself."
)
SAFE_ASKED = translate("This is a safe start: Waybill has not connected, and fetches and sends nothing by itself.")
FAULT_TITLE = translate("A mistake of Waybill's own")
DIAGNOSTICS_TITLE = translate("Diagnostics")
DIAGNOSTICS_HELP = translate(
    "For whoever helps you with Waybill: versions, sizes and counts, and the end of the log. It holds no order, no "
    "person, no address and no secret. Nothing is sent; read it, then copy it."
)
SHOW_DIAGNOSTICS = translate("Show diagnostics")
SHOW_REPORT = translate("Show report")
WORK_AS_USUAL = translate("Work as usual")
COPY = translate("Copy")
CLOSE = translate("Close")
COPIED = translate("Copied.")
UNREADABLE = translate("could not be read")
NO_TRACE = translate("It had not become usable yet, and left no trace of why.")
PACKED = translate("packed")
FROM_SOURCE = translate("from source")


def crash_report(version: str, began: str, stands_on: str, trace: str) -> str:
    """The report of a run that broke off."""
    return translate(
        "Waybill {version}, begun at {began}, ended unexpectedly.\n{stands_on}\n\n{trace}",
        version=version,
        began=began,
        stands_on=stands_on,
        trace=trace or NO_TRACE,
    )


def diagnostics(
    program: str, stands_on: str, screens: str, sizes: str, connections: str, outbox: str, secrets: str, log: str
) -> str:
    """All that there is to say of an installation."""
    return translate(
        "{program}\n{stands_on}\nScreens: {screens}\nKept: {sizes}\nConnections: {connections}\nOutbox: {outbox}\n"
        "{secrets}\n\nThe end of the log:\n{log}\n",
        program=program,
        stands_on=stands_on,
        screens=screens,
        sizes=sizes,
        connections=connections,
        outbox=outbox,
        secrets=secrets,
        log=log,
    )


def program(version: str, how: str, platform: str, seconds: float) -> str:
    """The version, how it was made, Qt's window system, and for how long it has been open."""
    hours, minutes = divmod(int(seconds) // 60, 60)
    return translate(
        "Waybill {version}, {how}, window system {platform}, open for {hours} h {minutes} min",
        version=version,
        how=how,
        platform=platform,
        hours=hours,
        minutes=minutes,
    )


def screen(width: int, height: int, percent: int) -> str:
    """A screen, its size in points and its density."""
    return translate("{width} × {height} at {percent} %", width=width, height=height, percent=percent)


def kept(name: str, size: float) -> str:
    """A file or folder of the program's own, in a million bytes."""
    return translate("{name} {size:.1f} MB", name=name, size=size)


def connections(count: int) -> str:
    """How many there are; practice is one of them."""
    return translate_plural("{count} connection", "{count} connections", count)


def writes(state: str, count: int) -> str:
    """Writes of one state, as the journal calls it."""
    return translate("{count} {state}", count=count, state=state)
