"""The sentences of the settings page."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from app.desk.connections.connection import CapabilityCard
from app.desk.connections.connection_files import Imported
from app.desk.connections.connections_words import drafts_counted, writes_counted
from app.desk.connections.legs import CardLeg
from app.store.journal.recovery.journal_repair import RestoreReport
from app.translation import translate, translate_plural
from app.ui.widgets.text.labels import Tone
from app.ui.widgets.text.times import moment
from app.ui.widgets.widget_words import beside

# Connections

# The parts of a connection, as the form names them.
FIELDS = {
    "base_url": translate("Order management address"),
    "info_base_url": translate("Order information address"),
    "auth_url": translate("Authorisation address"),
    "client_id": translate("Client id"),
    "client_secret": translate("Client secret"),
    "proxy": translate("Address of the proxy"),
    "proxy_user": translate("User at the proxy"),
    "proxy_password": translate("Password at the proxy"),
    "authorities": translate("File with certificates"),
}
# Below each address: what it takes, before anything is typed.
EXAMPLES = {
    "base_url": translate("The part before /OrderManagementApi, such as https://orders.provider.example"),
    "info_base_url": translate("With its prefix, such as https://orders.provider.example/OrderInformationApi"),
    "auth_url": translate("The part before /connect/token, such as https://login.provider.example"),
}
COLOURS = [
    ("", translate("No colour")),
    ("blue", translate("Blue")),
    ("teal", translate("Teal")),
    ("green", translate("Green")),
    ("violet", translate("Violet")),
    ("magenta", translate("Magenta")),
    ("brown", translate("Brown")),
]
PROXIES = [
    ("system", translate("As this computer is set")),
    ("direct", translate("None")),
    ("address", translate("This one")),
]
AUTHORITIES = [
    ("", translate("Those of this computer")),
    ("file", translate("Those and a file's")),
]
AUTHORITIES_HINT = translate("company-authority.pem or .cer")
FORMATS = [("json", "JSON"), ("xml", "XML")]
REPLIES_NOTE = translate("Both are read.")
SENDS_NOTE = translate("Quotes and trucks too. What XML cannot hold goes as JSON.")
OPTIONAL = translate("where it asks for one")
UNFOLD = translate("Proxy, certificates, formats")
ONE_KEPT = translate("The one that is kept stays unless you type another.")
NONE_KEPT = translate("None is kept on this computer yet.")
CHOOSE_AUTHORITIES = translate("Certificates of authorities to trust")
KINDS = [("production", translate("Production")), ("test", translate("Test system"))]
PRACTICE_KIND = translate("Practice, on this computer")
NOT_SAVED = translate("Nothing was saved; what you typed stays here.")
NOT_SAVED_BUT_MAY_BE = translate(
    "Nothing was saved; what you typed stays here. Correct what is marked and try again. Or save it anyway: orders "
    "then wait in the outbox until it works."
)
TYPED_SINCE_TEST = translate("What is typed has changed since this test.")
NOT_WORKING_YET = translate("It does not work yet: test it here once what was marked is corrected.")
NOT_ALL_TRIED = translate("Not everything could be tried: test it again here later.")
REQUIRED = translate("Required.")
ADDRESS_BEGINS = translate("An address begins with https://")
SECRET_IN_MEMORY = translate("Its secret is kept in memory until Waybill is closed.")
CONNECTION_FILES = translate("Waybill connections")
CERTIFICATE_FILES = translate("Certificates")
EXPORT_TITLE = translate("Export the connections")
IMPORT_TITLE = translate("Import connections from")
FILE_TOO_LARGE = translate("It is too large to be a file of connections.")
LEAVE_FORM = translate("Go back without saving?")
LEAVE_FORM_WARNING = translate("What you typed for this connection is not kept.")
DISCARD = translate("Go back without saving")


def connection_name(name: str, *, in_use: bool) -> str:
    """A connection in the list."""
    return translate("{name} · in use", name=name) if in_use else name


def connection_place(base_url: str, client_id: str) -> str:
    """Where a connection leads, in the list."""
    return translate("{address} · client {client}", address=base_url, client=client_id)


def exported(count: int, target: object) -> str:
    """Connections were exported."""
    return translate_plural(
        "{count} connection was exported to {target}, without its secret.",
        "{count} connections were exported to {target}, without their secrets.",
        count,
        target=target,
    )


def not_imported(name: str, error: str) -> str:
    """Nothing was imported from a file; `error` is a whole sentence."""
    return translate("Nothing was imported from {name}. {error}", name=name, error=error)


def imported(found: Imported) -> str:
    """What became of a file of connections."""
    parts = []
    if found.added:
        names = ", ".join(found.added)
        parts.append(
            translate_plural(
                "Imported: {names}. Its secret is not in the file: choose Change and enter it.",
                "Imported: {names}. Their secrets are not in the file: choose Change and enter them.",
                len(found.added),
                names=names,
            )
        )
    if found.present:
        parts.append(translate("Here already, and left as they are: {names}.", names=", ".join(found.present)))
    if found.unusable:
        parts.append(translate("Not usable: {names}.", names=", ".join(found.unusable)))
    return " ".join(parts)


def filled_from_paste(names: Sequence[str]) -> str:
    """Other addresses were filled in from the one that was pasted."""
    return translate("Filled in from what was pasted: {names}.", names=", ".join(names))


def still_to_fill_in(names: Sequence[str]) -> str:
    """Required fields are empty."""
    return translate("Still to fill in: {names}.", names=", ".join(names))


def to_put_right(names: Sequence[str]) -> str:
    """Fields hold something that cannot be right."""
    return translate("To put right: {names}.", names=", ".join(names))


def not_encrypted(hosts: Sequence[str]) -> str:
    """Addresses without TLS."""
    return translate("Not encrypted on the way to {hosts}: use an address with https://", hosts=", ".join(hosts))


def connection_not_saved(error: str) -> str:
    """Saving failed; `error` is the sentence of the store."""
    return translate("The connection was not saved. {error}", error=error)


def connection_saved(name: str, *caveats: str) -> str:
    """A connection was saved; the caveats are whole sentences, or empty."""
    return " ".join([translate("{name} was saved.", name=name), *(each for each in caveats if each)])


def connection_not_removed(error: str) -> str:
    """Removing failed; `error` is the sentence of the store."""
    return translate("The connection was not removed. {error}", error=error)


def secret_not_removed(name: str, error: str) -> str:
    """A connection was removed, its secret was not."""
    return translate("{name} was removed, but its secret is still kept. {error}", name=name, error=error)


def password_still_kept(error: str) -> str:
    """The password of a proxy that is not used any more was not deleted; `error` is the sentence of the store."""
    return translate("The password of its former proxy is still kept. {error}", error=error)


def unfinished(queued: int, sending: int, in_doubt: int, rejected: int) -> str:
    """`2 queued, 1 in doubt and 1 refused`"""
    counted = (
        (queued, translate("{count:,} queued", count=queued)),
        (sending, translate("{count:,} being sent", count=sending)),
        (in_doubt, translate("{count:,} in doubt", count=in_doubt)),
        (rejected, translate("{count:,} refused", count=rejected)),
    )
    *first, last = [words for count, words in counted if count]
    return translate("{first} and {last}", first=", ".join(first), last=last) if first else last


def cannot_remove(name: str, writes: str) -> str:
    """A connection with unfinished writes stays; `writes` as by `unfinished`."""
    return translate("{name} was not removed: {writes} in its outbox. Settle that first.", name=name, writes=writes)


def ask_remove(name: str) -> str:
    """Whether to remove a connection."""
    return translate("Remove the connection {name}?", name=name)


def remove_warning(drafts: int) -> str:
    """What goes with a connection, and what stays."""
    gone = translate(
        "Its secret is deleted from this computer, and so are the orders, audits and pictures that were fetched "
        "through it."
    )
    if drafts:
        stays = translate_plural(
            "What was sent through it, with {count:,} open draft, stays in the journal, and is there again once the "
            "same order management address and client id are connected again.",
            "What was sent through it, with {count:,} open drafts, stays in the journal, and is there again once the "
            "same order management address and client id are connected again.",
            drafts,
        )
    else:
        stays = translate(
            "What was sent through it stays in the journal, and is there again once the same order management address "
            "and client id are connected again."
        )
    return f"{gone} {stays}"


def cannot_move(name: str, writes: str) -> str:
    """A connection with writes that only its provider knows keeps its address; `writes` as by `unfinished`."""
    return translate(
        "{name} was not changed: {writes} in its outbox. Only the provider before knows of that. Settle it first, or "
        "make a new connection.",
        name=name,
        writes=writes,
    )


def ask_move(name: str) -> str:
    """Whether queued writes go to the new address."""
    return translate("Send what {name} has queued to the new place?", name=name)


def move_warning(queued: int, before: str, after: str) -> str:
    """Where queued writes go from now on."""
    return translate_plural(
        "{count:,} in its outbox has not left for {before}. From now on it goes to {after}.",
        "{count:,} in its outbox have not left for {before}. From now on they go to {after}.",
        queued,
        before=before,
        after=after,
    )


def place_of(base_url: str, client_id: str) -> str:
    """Where a connection leads, in a sentence."""
    return translate("{address} as client {client}", address=base_url, client=client_id)


def same_provider(name: str) -> str:
    """Another connection leads to the same provider as the same client."""
    return translate(
        "{name} leads to the same provider as the same client. Each has an outbox of its own and does not know what "
        "was sent by the other: use one of them.",
        name=name,
    )


# The capability card

WAY = translate("The way to the provider")
LEGS = {
    "name": translate("Name"),
    "connection": translate("Connection"),
    "proxy": translate("Proxy"),
    "tls": translate("TLS"),
    "token": translate("Token"),
    "scope": translate("Permissions"),
    "service": translate("Service"),
    "clock": translate("Clock"),
}
CARD_NAME = translate("What the provider allows")
CARD_BUSY = translate("Asking the provider…")
CARD_WORKS = translate("Connected. The provider allows:")
CARD_WRONG_ADDRESS = translate("The provider granted access, but not every address works.")
ALLOWED: dict[bool | None, tuple[str, Tone]] = {
    True: (translate("✓ Yes"), "good"),
    False: (translate("✕ No"), "bad"),
    None: (translate("! Unknown"), "warn"),
}


def took(seconds: float) -> str:
    """How long a leg took."""
    return translate("{count:,} ms", count=max(1, round(seconds * 1000)))


def leg_spoken(leg: CardLeg) -> str:
    """A leg as a screen reader says it."""
    names = {"leg": LEGS[leg.kind], "place": leg.place}
    if leg.trouble:
        return translate("{leg} {place} failed: {trouble}", trouble=leg.trouble, **names)
    if not leg.tried:
        return translate("{leg} {place} was not tried.", **names)
    return translate("{leg} {place} holds. {facts}", facts=leg.facts, **names).strip()


def stopped_at(leg: CardLeg) -> str:
    """Which leg of a test failed."""
    if not leg.place:
        return translate("It stops at: {leg}.", leg=LEGS[leg.kind])
    return translate("It stops at: {leg}, {place}.", leg=LEGS[leg.kind], place=leg.place)


def opens(pages: Sequence[str]) -> str:
    """Which pages a permission opens."""
    return translate("Opens: {pages}", pages=", ".join(pages))


def card_foot(card: CapabilityCard) -> str:
    """When a connection was tested, and what is known of its tokens."""
    tested = translate("Tested {when}.", when=moment(card.at))
    if card.token_ends is None:
        return tested
    count = round(card.token_seconds)
    parts = [
        translate_plural("A token lasts {count:,} second.", "A token lasts {count:,} seconds.", count),
        translate("The one of this test ends {when}.", when=moment(card.token_ends)),
    ]
    if card.others:
        parts.append(translate("Granted besides: {scopes}.", scopes=", ".join(card.others)))
    return " ".join([*parts, tested, translate("Dates without a zone are the provider's local time.")])


# The sections of the page: their titles, and words by which the palette finds them and which are not shown

SECTIONS: dict[str, tuple[str, str]] = {
    "connections": (translate("Connections"), translate("provider address client secret proxy certificate")),
    "team": (translate("Work with a team"), translate("database postgresql colleagues log")),
    "appearance": (translate("Appearance"), translate("theme dark light size text rows sound map phone call")),
    "notices": (translate("Notices"), translate("desktop notifications quiet hours")),
    "backup": (translate("Backup"), translate("restore save journal delete old writes retention")),
    "folder": (translate("Watched folder"), translate("import files drop")),
    "data": (translate("Data"), translate("folder where files lie")),
    "updates": (translate("Updates"), translate("newer version")),
    "about": (translate("About"), translate("version licence diagnostics")),
}

# What can be done in Settings, as the palette calls it: section, title, and words that find it and are not shown
ACTIONS: dict[str, tuple[str, str, str]] = {
    "connect": ("connections", translate("Connect to your provider"), translate("new add")),
    "import": ("connections", translate("Import connections…"), ""),
    "export": ("connections", translate("Export connections…"), ""),
    "text": ("appearance", translate("Size of text"), translate("larger smaller font zoom")),
    "rows": ("appearance", translate("Height of rows"), translate("compact comfortable density")),
    "sounds": ("appearance", translate("Sounds"), translate("beep scan mute")),
    "map": ("appearance", translate("Map site for addresses"), translate("openstreetmap google bing")),
    "calls": ("appearance", translate("What a click on a phone number does"), translate("call copy")),
    "quiet": ("notices", translate("Quiet hours"), translate("night silent mute")),
    "notice": ("notices", translate("Show a desktop notice to try"), ""),
    "back up": ("backup", translate("Back up the journal…"), translate("save")),
    "restore": ("backup", translate("Restore a backup…"), ""),
    "delete": ("backup", translate("Delete finished writes…"), translate("entries old outbox forget wipe retention")),
    "watch": ("folder", translate("Choose a folder to watch…"), ""),
    "look": ("updates", translate("Look for a newer version"), translate("update upgrade")),
    "copy": ("about", translate("Copy version"), ""),
    "licences": ("about", translate("Show licences"), ""),
    "diagnostics": ("about", translate("Show diagnostics"), translate("report log trouble")),
}


def not_begun(title: str) -> str:
    """A section that a safe start leaves out was asked for."""
    return translate("A safe start leaves “{title}” out. Choose “Work as usual” first.", title=title)


# Appearance and data

MAP_SITE = translate("Show addresses on the map of")
NO_MAP = translate("No site: addresses are not shown on a map")
CALLS = translate("A click on a phone number")
CALL_CHOICES = [
    ("", translate("copies the number")),
    ("program", translate("calls it with the phone program of this computer")),
]
THEMES = [
    ("system", translate("System")),
    ("light", translate("Light")),
    ("dark", translate("Dark")),
    ("light-contrast", translate("Light, high contrast")),
    ("dark-contrast", translate("Dark, high contrast")),
]


GIVEN = translate("set by your administrator")
GIVEN_FORM = translate("Your administrator's file settles this connection. Only its secrets are typed here.")
CHANGE_SECRET = translate("Change the secret")
NO_OWN_CONNECTIONS = translate("Your administrator allows no other connections on this computer.")


def version(number: str) -> str:
    """The program and its version."""
    return translate("Waybill {version}", version=number)


LICENCES_HELP = translate(
    "Waybill stands on the work of many others. Their licences, and how to replace Qt by another build of it, lie "
    "beside the program."
)
FACTS_COPIED = translate("The version was copied.")


def licences_not_opened(folder: object) -> str:
    """The folder of the licences could not be shown."""
    return translate("Nothing here opens folders. The licences are in {folder}.", folder=folder)


def map_note(site: str) -> str:
    """What a site learns that shows an address on its map; `site` is its name, empty where none is chosen."""
    if not site:
        return translate("Nothing is sent to a map site.")
    return translate("The address that you click is sent to {site}, and nothing else.", site=site)


def data_folder(folder: object) -> str:
    """Where the data is."""
    return "\n".join(
        [
            translate("Everything is kept in {folder}", folder=folder),
            translate("The journal holds drafts, what was sent and its outcome, and connections."),
            translate("The cache holds orders as last seen and can be deleted while Waybill is closed."),
        ]
    )


# The journal

AGES = [
    ("365", translate("1 year")),
    ("180", translate("6 months")),
    ("90", translate("90 days")),
    ("30", translate("30 days")),
]
JOURNAL_HELP = translate(
    "The journal holds every order sent from this desk, byte for byte. Keep a backup on another disk. Restoring sends "
    "nothing: what was on its way in the backup comes back in doubt."
)
BACK_UP_TITLE = translate("Back up the journal")
RESTORE_TITLE = translate("Restore the journal from")
FILE_KIND = translate("Waybill journals")
DELETE_WARNING = translate(
    "What was sent can then not be looked at any more. What is queued, being sent or in doubt is never "
    "deleted. Calls that were made in the console before then are deleted too."
)
DELETE, KEEP = translate("Delete"), translate("Keep")
DELETED_TRACES = translate("What was deleted before is wiped from the disk now.")
NOTHING_OLD = translate("Nothing that old is in the journal.")


def backed_up(target: object) -> str:
    """A backup was written."""
    return translate("The journal was backed up to {target}.", target=target)


def ask_restore(name: str) -> str:
    """Whether to restore a backup."""
    return translate("Restore {name}?", name=name)


def restore_warning(writes: int, drafts: int, connections: int, last_change: datetime | None) -> str:
    """What a backup holds, and what restoring it does."""
    return translate(
        "It holds {writes}, {drafts} and {connections}, last changed {when}. It is used from the next start on; the "
        "journal in use now is kept beside it. Nothing is sent.",
        writes=writes_counted(writes),
        drafts=drafts_counted(drafts),
        connections=translate_plural("{count:,} connection", "{count:,} connections", connections),
        when=translate("never") if last_change is None else moment(last_change),
    )


def restart_to_restore(missing: Sequence[str]) -> str:
    """A restore waits for the next start."""
    restart = translate("Close Waybill and start it again to use the backup.")
    if not missing:
        return restart
    return f"{restart} {translate('Not in the backup, look them up: {orders}.', orders=', '.join(missing))}"


def ask_delete(count: int) -> str:
    """Whether to delete finished writes."""
    return translate_plural("Delete {count:,} write for good?", "Delete {count:,} writes for good?", count)


def delete_warning(count: int, age: str) -> str:
    """Which parts of `count` writes are deleted, and which writes never are; `age` is one of `AGES`."""
    ended = translate_plural("It ended more than {age} ago.", "They ended more than {age} ago.", count, age=age)
    return f"{ended} {DELETE_WARNING}"


def deleted(writes: int, drafts: int) -> str:
    """What was deleted."""
    if not drafts:
        return translate("Deleted: {writes}.", writes=writes_counted(writes))
    return translate("Deleted: {writes} and {drafts}.", writes=writes_counted(writes), drafts=drafts_counted(drafts))


def restored(report: RestoreReport) -> str:
    """What was restored, and what a person has to look at."""
    at, why = moment(report.at), report.why
    if report.writes or report.drafts or report.requests:
        writes = writes_counted(report.writes)
        parts = [
            translate("The journal was brought back on {at} because {why}: {writes}.", at=at, why=why, writes=writes)
        ]
    else:
        parts = [
            translate("The journal was begun anew on {at} because {why}: nothing of it could be read.", at=at, why=why)
        ]
    if report.in_doubt:
        parts.append(translate("On their way then, in doubt now: {orders}.", orders=", ".join(report.in_doubt)))
    if report.requests_in_doubt:
        names = ", ".join(report.requests_in_doubt)
        parts.append(translate("Quotes, trucks and slots in doubt: {names}.", names=names))
    if report.uncertain:
        parts.append(translate("Not all of these could be checked: {orders}.", orders=", ".join(report.uncertain)))
    if report.missing:
        parts.append(translate("Missing, look them up: {orders}.", orders=", ".join(report.missing)))
    if report.requests_missing:
        names = ", ".join(report.requests_missing)
        parts.append(translate("Missing quotes, trucks and slots, ask about them: {names}.", names=names))
    parts.append(
        translate("The file before is kept beside it as {file}. Nothing was sent by itself.", file=report.aside)
    )
    return " ".join(parts)


# The watched folder

WATCHED_FOLDER = translate("Watched folder")
WATCHED_FOLDER_HELP = translate(
    "Files that another program puts into this folder are read and checked. They wait on the Import page, and their "
    "receipts are written beside them."
)
CHOOSE_FOLDER, CHOOSE_FOLDER_TITLE = translate("Choose a folder…"), translate("Choose the folder to watch")
WATCH_NO_FOLDER = translate("Watch no folder")
SEND_BY_ITSELF = translate("Send a file by itself where there is nothing to correct, to look at or to decide")


def watched(folder: object | None) -> str:
    """The folder that is watched, or that none is."""
    return translate("No folder is watched.") if folder is None else translate("{folder} is watched.", folder=folder)


def folder_not_kept(why: str) -> str:
    """The choice of the folder could not be stored."""
    return translate("The watched folder stays as it was. {why}", why=why)


# The team

TEAM = translate("Work with a team")
TEAM_HELP = translate(
    "Several people at one client can share a log on PostgreSQL: who sent, changed and reviewed what. No two desks "
    "send one order at the same time. Without the database each desk works on alone."
)
TEAM_FIELDS = {
    "host": translate("Server"),
    "port": translate("Port"),
    "database": translate("Database"),
    "user": translate("Your role there"),
    "password": translate("Password"),
    "person": translate("Your name, as the team sees it"),
    "authorities": translate("File of certificate authorities to trust (optional)"),
}
TEAM_HINTS = {"host": "team.acme.example", "database": "waybill", "user": "anna", "person": "Anna Keller"}
TEAM_WAITS = translate("Wait instead of sending while the team's database cannot be reached")
JOIN_TEAM, CHANGE_TEAM = translate("Join a team…"), translate("Change…")
TRY_TEAM_NOW, LEAVE_TEAM = translate("Try again now"), translate("Leave the team")
TEST_TEAM, SAVE_TEAM, TEAM_GO_BACK = translate("Test"), translate("Join"), translate("Go back")
SHARE_CONSIGNEES = translate("Share the consignees of your orders with the team")
SHARE_CONSIGNEES_HELP = translate(
    "While the others type an order, they are offered the consignees that you sent to: name, address, phone and email."
)
NO_CONSIGNEES_HERE = translate(
    "The orders of this team are not copied with names and addresses, so there are no consignees to share."
)
CONSIGNEES_SHARED = translate("The team is offered the consignees of your orders now.")
CONSIGNEES_NOT_SHARED = translate("The team learns no more consignees from you. What it has learnt stays there.")
TEAM_TESTING = translate("Testing the way to the database…")
WORKS_ALONE = translate("This desk works alone.")
TEAM_CONNECTING = translate("Connecting to the team's database…")
TEAM_PASSWORD_KEPT = translate("The password is kept, unless you type another.")
TEAM_PORT_WRONG = translate("A port is a number from 1 to 65535.")
TEAM_PERSON_LONG = translate("A name has up to 100 letters.")
ASK_LEAVE_TEAM = translate("Leave the team?")
LEAVE_TEAM_WARNING = translate(
    "Everything that was sent and reviewed here stays here, and what the team knows of it stays with the team. From "
    "now on neither hears of the other."
)
TEAM_LEFT = translate("This desk has left the team and works alone.")
_TEAM_LEGS = {
    "name": translate("The server's name is known"),
    "connection": translate("The server answers"),
    "certificate": translate("The server proves its name, and encrypts"),
    "password": translate("The role and its password are right"),
    "database": translate("The database is there and open to you"),
    "tables": translate("The database is prepared for a team"),
    "desk": translate("Your name is free"),
}


def consignees_unchanged(why: str) -> str:
    """The switch could not be stored."""
    return translate("Whether consignees are shared stays as it was. {why}", why=why)


def team_leg(leg: str, *, went_well: bool | None) -> str:
    """A leg of the way to the team's database; None: it was not tried."""
    sign = "–" if went_well is None else "✓" if went_well else "✕"
    return f"{sign} {_TEAM_LEGS[leg]}"


def team_found(people: list[str], ahead: float) -> str:
    """What a good test found: who is in the team, and this clock against the server's, in seconds."""
    who = (
        translate("In the team so far: {people}.", people=", ".join(people))
        if people
        else translate("Nobody has joined yet.")
    )
    if abs(ahead) < 1:
        return who
    clock = (
        translate("This computer's clock is {seconds:.0f} s ahead of the server's.", seconds=ahead)
        if ahead > 0
        else translate("This computer's clock is {seconds:.0f} s behind the server's.", seconds=-ahead)
    )
    return f"{who} {clock}"


def team_connected(person: str, waiting: int, behind: int) -> str:
    """The link works; so many entries are still to be pushed and pulled."""
    parts = [translate("Connected as {person}.", person=person)]
    if waiting:
        parts.append(
            translate_plural("{count:,} entry is still to be sent.", "{count:,} entries are still to be sent.", waiting)
        )
    if behind:
        parts.append(
            translate_plural(
                "{count:,} entry of the team is still to be read.",
                "{count:,} entries of the team are still to be read.",
                behind,
            )
        )
    return " ".join(parts)


def team_trouble(why: str) -> str:
    """The team's database cannot be used."""
    return translate("{why} This desk works alone until then, and tells the team afterwards.", why=why)


def team_people(people: list[str]) -> str:
    """Who else is in the team."""
    return translate("With {people}.", people=", ".join(people))


def team_joined(person: str, caveat: str) -> str:
    """A team was joined."""
    return " ".join(filter(None, (translate("Working with the team as {person}.", person=person), caveat)))


def team_not_joined(why: str) -> str:
    """The choice could not be stored."""
    return translate("The team was not joined. {why}", why=why)


def team_not_left(why: str) -> str:
    """The choice or the password could not be deleted."""
    return translate("Leaving the team did not go through. {why}", why=why)


# Updates

UPDATES = translate("Updates")
UPDATE_ADDRESS = translate("Address of the list of versions")
UPDATE_ADDRESS_HINT = translate("https://files.company.example/waybill/waybill-updates.json")
UPDATE_KEY = translate("Key that the list is signed with")
UPDATE_KEY_HELP = translate(
    "Whoever makes the list gives you address and key. A list that is not signed with this key is not used. Waybill "
    "then looks once a day, and installs nothing by itself."
)
UPDATE_PROGRESS = translate("How much of the new version is fetched")
LOOK_FOR_UPDATE = translate("Look now")
FETCH_UPDATE = translate("Fetch it")
STOP_FETCHING = translate("Stop")
INSTALL_UPDATE = translate("Install it")
SHOW_PACKAGE = translate("Show in its folder")
GIVE_UPDATE_ADDRESS = translate("Give an address")
CHANGE_UPDATE_ADDRESS = translate("Change the address")
KEEP_UPDATE_ADDRESS = translate("Keep and look")
ASK_FOR_NO_UPDATES = translate("Look no more")
UPDATE_GO_BACK = translate("Back")
UPDATES_NOT_READ = translate("Reading the settings of updates…")
NO_UPDATE_ADDRESS = translate("Waybill looks nowhere for newer versions: nobody has given it an address.")
UPDATES_OFF = translate("Your administrator installs newer versions. Waybill does not look for them here.")
UPDATES_IDLE = translate("Waybill looks once a day.")
LOOKING_FOR_UPDATE = translate("Looking for a newer version…")


def update_source(address: str, *, given: bool) -> str:
    """Where it is looked, and who said so."""
    if given:
        return translate("Looks at {address}, as your administrator has settled.", address=address)
    return translate("Looks at {address}.", address=address)


def is_newest(version: str) -> str:
    """The list names no newer version."""
    return translate("This is the newest version, {version}.", version=version)


def newer_version(version: str, size: int | None) -> str:
    """A newer version; `size` in bytes, None where no package is for this system."""
    if size is None:
        return translate(
            "Version {version} is there. The list names no package for the way in which this Waybill was installed.",
            version=version,
        )
    return translate("Version {version} is there ({size:.1f} MB).", version=version, size=size / 1e6)


def fetching_update(version: str, done: int, size: int) -> str:
    """How far a package has come, in bytes."""
    return translate(
        "Fetching version {version}: {done:.1f} of {size:.1f} MB.", version=version, done=done / 1e6, size=size / 1e6
    )


def update_checked(version: str) -> str:
    """A package was fetched and is the one that the list names."""
    return translate("Version {version} was fetched and checked. It can be installed now.", version=version)


def package_lies(path: Path) -> str:
    """No file manager opened."""
    return translate("Nothing here opens folders. The package is {path}.", path=path)


def update_address_not_kept(why: str) -> str:
    """The choice could not be stored."""
    return translate("The address for updates was not kept. {why}", why=why)


def status(in_use: str, connections: int) -> str:
    """The status bar on this page."""
    return beside(
        translate("{name} is in use", name=in_use),
        translate_plural("{count:,} connection", "{count:,} connections", connections),
    )


# Notices

NOTICES = translate("Notices")
NOTICES_HELP = translate("While you work in another program, the desktop tells you of what you choose here.")
NOTICE_KINDS = {
    "refused": translate("An order or cancellation was refused"),
    "in-doubt": translate("An order or cancellation is in doubt"),
    "watched": translate("A watched order has changed"),
    "soon": translate("An order is about to be late"),
    "low-audit": translate("An audit scored low"),
}


def low_audit_kind(below: str, *, on: bool) -> str:
    """Low audits: a score below `below` is low. A rule that is off in *Today* finds none to tell of."""
    if on:
        return translate("An audit scored low, below {score}", score=below)
    return translate("An audit scored low, below {score} (not while this rule of Today is off)", score=below)


QUIET_HOURS = translate("Quiet hours: what happens then is told once at their end, if it is still so")
QUIET_FROM = translate("From")
QUIET_TO = translate("Until")
QUIET_ALL_DAY = translate("Both times are the same: the whole day is quiet, and no notice is shown.")
NOTICE_REFERENCES = translate("Name orders by their reference and audits by their number")
NOTICE_REFERENCES_HELP = translate(
    "Names and addresses never stand in a notice. The rules of Today say when an order is about to be late and below "
    "which score an audit is low."
)
SHOW_NOTICE = translate("Show one now")
NOTICES_OFF = translate("The administrator of this computer has switched notices off.")


def notices_not_kept(why: str) -> str:
    """A choice about notices could not be stored; `why` is a sentence."""
    return translate("The choice of notices was not kept. {why}", why=why)


# Look and sound

TEXT_SIZE = translate("Size of text")
ROWS = translate("Rows of tables")
ROW_CHOICES = [("", translate("Comfortable")), ("compact", translate("Compact"))]
SOUNDS = translate("Sounds")
SOUND_CHOICES = [
    ("all", translate("Scans taken and refused, refused orders")),
    ("refused", translate("Refused scans and orders")),
    ("none", translate("None")),
]
HEAR_SOUND = translate("Hear it")


def per_cent(size: int) -> str:
    """A size of text."""
    return translate("{size} %", size=size)


def look_not_kept(why: str) -> str:
    """A choice counts now and could not be stored; `why` is a sentence."""
    return translate("This counts until Waybill is closed: it was not kept. {why}", why=why)
