"""The journal's tables. A person with any SQLite tool can read in them, in an emergency, which orders were sent.

`JOURNAL.migrations` is data: the tuple at index n leads from `user_version` n to n + 1 and is never edited once it was
released. A change of the tables is a further tuple behind the last. A column that is added to `writes` has no default,
because the seal leaves out columns that are NULL and no others.

Invariants, held by triggers: the columns that say what was queued or sent never change; every change of a write, a
request, a review or a template gets a number of its own, larger than all before, and a change of a write takes the
row's seal off
(`seal.seal_changed` puts it on again before the commit). The readable copy follows the journal by these numbers, and a
journal that knows less than its copy shows by them.
"""

import apsw

from app.store.journal.schema.seal import seal_changed
from app.store.sqlite.opening import TO_THE_DISK, Schema
from app.store.sqlite.plain_rows import value

_DRAFTS = (
    """
    CREATE TABLE drafts (
        id            TEXT PRIMARY KEY,
        profile       TEXT NOT NULL,
        body          TEXT NOT NULL CHECK (json_valid(body)),  -- the form as typed
        created_at    TEXT NOT NULL,
        changed_at    TEXT NOT NULL,
        closed_at     TEXT,
        submission_id INTEGER REFERENCES writes (id)           -- the write it became
    ) STRICT
    """,
    "CREATE INDEX drafts_open ON drafts (profile, changed_at) WHERE closed_at IS NULL",
)

# The salvage of damaged files knows the rows of this table by the order and types of their columns.
_WRITES = (
    """
    CREATE TABLE writes (
        id              INTEGER PRIMARY KEY AUTOINCREMENT,     -- also their order
        profile         TEXT NOT NULL,
        kind            TEXT NOT NULL CHECK (kind IN ('submit', 'cancel')),
        reference       TEXT NOT NULL,
        payload         BLOB NOT NULL,                         -- as JSON, the exact bytes where it leaves as JSON
        sha256          TEXT NOT NULL,                         -- of the payload, in hexadecimal
        state           TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'accepted', 'confirmed', 'rejected',
                                                       'in_doubt', 'withdrawn')),
        queued_at       TEXT NOT NULL,                         -- every moment is in UTC
        changed_at      TEXT NOT NULL,
        draft_id        TEXT,
        note            TEXT,                                  -- the latest sentence about it
        verdict         TEXT,                                  -- the provider's answer just before it was sent
        agreed          TEXT,                                  -- the verdict that a person said yes to
        held            TEXT,                                  -- why it waits for a person; not sent while set
        not_before      TEXT,                                  -- it is not sent, and can be withdrawn, until then
        change          INTEGER,                               -- the number of its last change, from `tally`
        seal            TEXT,                                  -- the digest of this row
        missed_at       TEXT,                                  -- when the provider first did not know it, since sent
        missed_again_at TEXT,                                  -- when it did not know it just before the resend
        resend          INTEGER                                -- the attempt that Waybill began by itself
    ) STRICT
    """,
    "CREATE INDEX writes_by_state ON writes (profile, state, id)",
    "CREATE INDEX writes_by_reference ON writes (profile, reference, id)",
    "CREATE UNIQUE INDEX writes_one_sending ON writes (profile, reference) WHERE state = 'sending'",
    "CREATE INDEX writes_by_change ON writes (change)",
    "CREATE INDEX writes_unsealed ON writes (id) WHERE seal IS NULL",
    """
    CREATE TABLE tally (
        one     INTEGER PRIMARY KEY CHECK (one = 1),
        change  INTEGER NOT NULL,                              -- the number of the last change of any row
        journal TEXT NOT NULL                                  -- which journal this is
    ) STRICT
    """,
    "INSERT INTO tally VALUES (1, 0, lower(hex(randomblob(8))))",
)

_NUMBER_IT = """
    UPDATE tally SET change = change + 1;
    UPDATE writes SET change = (SELECT change FROM tally), seal = NULL WHERE id = NEW.id;
"""
_TRIGGERS = (
    """
    CREATE TRIGGER writes_keep_what_was_queued
    BEFORE UPDATE OF id, profile, kind, reference, payload, sha256, queued_at ON writes
    BEGIN SELECT RAISE (ABORT, 'what was queued is never changed'); END
    """,
    f"CREATE TRIGGER writes_number_new AFTER INSERT ON writes BEGIN {_NUMBER_IT} END",
    # The condition leaves out the sealing of a row, which is no change of it.
    f"""
    CREATE TRIGGER writes_number_changes AFTER UPDATE ON writes
    WHEN NEW.seal IS OLD.seal AND NEW.change IS OLD.change BEGIN {_NUMBER_IT} END
    """,
)

_ATTEMPTS = (
    """
    CREATE TABLE attempts (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        write_id    INTEGER NOT NULL REFERENCES writes (id),
        started_at  TEXT NOT NULL,                             -- on the disk before the first byte is sent
        ended_at    TEXT,
        outcome     TEXT,
        http_status INTEGER,
        reply       BLOB,                                      -- the reply's exact bytes
        reply_type  TEXT,
        sentence    TEXT,
        repeats     INTEGER NOT NULL DEFAULT 0,                -- how many more attempts ended just so
        sent_as     TEXT NOT NULL DEFAULT 'json',              -- the format in which the payload left: json or xml
        CHECK ((ended_at IS NULL) = (outcome IS NULL))
    ) STRICT
    """,
    "CREATE INDEX attempts_of_write ON attempts (write_id, id)",
    "CREATE UNIQUE INDEX attempts_one_open ON attempts (write_id) WHERE ended_at IS NULL",
    "CREATE INDEX attempts_turned_back ON attempts (write_id) WHERE outcome = 'not_taken'",
)

_NUMBER_REQUEST = """
    UPDATE tally SET change = change + 1;
    UPDATE requests SET change = (SELECT change FROM tally) WHERE id = NEW.id;
"""
# See `request_store`. The salvage knows these rows too by the order and types of their columns.
_REQUESTS = (
    """
    CREATE TABLE requests (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        profile     TEXT NOT NULL,
        operation   TEXT NOT NULL,                             -- the contract's name of it
        subject     TEXT NOT NULL,                             -- the reference of the order it is about, or empty
        title       TEXT NOT NULL,                             -- what a person called it
        payload     BLOB NOT NULL,                             -- as JSON, the exact bytes where it left as JSON
        sha256      TEXT NOT NULL,                             -- of the payload, in hexadecimal
        state       TEXT NOT NULL CHECK (state IN ('sending', 'accepted', 'refused', 'not_sent', 'in_doubt',
                                                   'not_arrived')),
        began_at    TEXT NOT NULL,                             -- on the disk before the first byte is sent
        ended_at    TEXT,
        http_status INTEGER,
        reply       BLOB,                                      -- the reply's exact bytes
        sentence    TEXT,                                      -- the latest sentence about it
        change      INTEGER,                                   -- the number of its last change, from `tally`
        sent_as     TEXT NOT NULL DEFAULT 'json'               -- the format in which the payload left: json or xml
    ) STRICT
    """,
    "CREATE INDEX requests_by_operation ON requests (profile, operation, id)",
    "CREATE INDEX requests_by_change ON requests (change)",
    """
    CREATE TRIGGER requests_keep_what_was_sent
    BEFORE UPDATE OF id, profile, operation, subject, title, payload, sha256, began_at, sent_as ON requests
    BEGIN SELECT RAISE (ABORT, 'what was sent is never changed'); END
    """,
    f"CREATE TRIGGER requests_number_new AFTER INSERT ON requests BEGIN {_NUMBER_REQUEST} END",
    f"""
    CREATE TRIGGER requests_number_changes AFTER UPDATE ON requests
    WHEN NEW.change IS OLD.change BEGIN {_NUMBER_REQUEST} END
    """,
)

_OTHERS = (
    """
    CREATE TABLE profiles (
        id            TEXT PRIMARY KEY,
        name          TEXT NOT NULL CHECK (trim(name) <> ''),
        kind          TEXT NOT NULL CHECK (kind IN ('practice', 'test', 'production')),
        base_url      TEXT NOT NULL,
        info_base_url TEXT NOT NULL,
        auth_url      TEXT NOT NULL,
        client_id     TEXT NOT NULL,
        scopes        TEXT NOT NULL CHECK (json_valid(scopes)), -- those a token is asked for, [] for all
        options       TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(options)) -- colour, proxy, authorities, formats
    ) STRICT
    """,
    "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value))) STRICT",
    """
    CREATE TABLE reviews (
        id         INTEGER PRIMARY KEY,
        profile    TEXT NOT NULL,
        audit      INTEGER NOT NULL,
        photo      TEXT NOT NULL,                              -- empty for the audit itself
        body       TEXT NOT NULL CHECK (json_valid(body)),
        changed_at TEXT NOT NULL,
        UNIQUE (profile, audit, photo)
    ) STRICT
    """,
)

_NUMBER_ROW = """
    UPDATE tally SET change = change + 1;
    INSERT INTO copied_changes VALUES ('{kind}', {row}, (SELECT change FROM tally))
    ON CONFLICT (kind, row) DO UPDATE SET change = excluded.change;
"""
_TEMPLATES = "NEW.key GLOB 'templates.*' AND NEW.key NOT GLOB 'templates.begun.*'"
# Which reviews and templates have changed, for the readable copy. The rows themselves stay as the salvage knows them.
# The table has row ids, because the salvage reads only pages of such tables.
_COPIED = (
    """
    CREATE TABLE copied_changes (
        kind   TEXT NOT NULL CHECK (kind IN ('review', 'templates')),
        row    TEXT NOT NULL,                                  -- the review's id, or the setting's key
        change INTEGER NOT NULL,                               -- the number of its last change, from `tally`
        UNIQUE (kind, row)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX copied_changes_by_change ON copied_changes (change)",
    *(
        f"CREATE TRIGGER reviews_number_{after} AFTER {after} ON reviews "
        f"BEGIN {_NUMBER_ROW.format(kind='review', row='NEW.id')} END"
        for after in ("INSERT", "UPDATE")
    ),
    *(
        f"CREATE TRIGGER templates_number_{after} AFTER {after} ON settings WHEN {_TEMPLATES} "
        f"BEGIN {_NUMBER_ROW.format(kind='templates', row='NEW.key')} END"
        for after in ("INSERT", "UPDATE")
    ),
)

# Orders from files (`import_store`). The salvage of damaged files leaves them out: a row of an earlier page could say
# that an order was not sent yet.
_IMPORTS = (
    """
    CREATE TABLE imports (
        id         INTEGER PRIMARY KEY AUTOINCREMENT,
        profile    TEXT NOT NULL,
        name       TEXT NOT NULL,                              -- of the file
        kind       TEXT NOT NULL CHECK (kind IN ('submit', 'cancel')),
        state      TEXT NOT NULL CHECK (state IN ('freezing', 'running', 'paused', 'stopped', 'done')),
        note       TEXT NOT NULL,
        digest     TEXT NOT NULL,                              -- SHA-256 of the file
        titles     TEXT NOT NULL CHECK (json_valid(titles)),
        begun_at   TEXT NOT NULL,
        changed_at TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX imports_by_state ON imports (profile, state, id)",
    """
    CREATE TABLE import_orders (
        import      INTEGER NOT NULL REFERENCES imports (id),
        place       INTEGER NOT NULL,                          -- of its first row in the sheet
        reference   TEXT NOT NULL,
        payload     BLOB,                                      -- the exact bytes, until its write has them
        sha256      TEXT NOT NULL,
        agreed      TEXT,                                      -- the verdict that a person said yes to
        last_write  INTEGER NOT NULL,                          -- the newest write when it was looked at
        last_import INTEGER NOT NULL,                          -- the newest import then
        last_clock  INTEGER NOT NULL,                          -- the team's clock then, 0 without a team
        write_id    INTEGER,                                   -- the write that it became
        skipped     TEXT,                                      -- why it becomes none
        PRIMARY KEY (import, place)
    ) STRICT
    """,
    "CREATE INDEX import_orders_waiting ON import_orders (import, place) WHERE write_id IS NULL AND skipped IS NULL",
    "CREATE UNIQUE INDEX import_orders_by_write ON import_orders (write_id) WHERE write_id IS NOT NULL",
    """
    CREATE TABLE import_rows (
        import INTEGER NOT NULL REFERENCES imports (id),
        first  INTEGER NOT NULL,                               -- the place of the first of these rows in the sheet
        body   BLOB NOT NULL,                                  -- the rows as JSON, compressed by zlib
        PRIMARY KEY (import, first)
    ) STRICT
    """,
)

# What a team is told (`store/journal/team/team_log`). The salvage of damaged files leaves these out: a rebuilt journal
# begins another log, since the team's database may have entries that it does not know.
_TEAM = (
    """
    CREATE TABLE team_state (
        one    INTEGER PRIMARY KEY CHECK (one = 1),            -- no row: the team is off
        desk   TEXT NOT NULL,                                  -- the id of this log
        seq    INTEGER NOT NULL,                               -- of the last entry
        pushed INTEGER NOT NULL,                               -- of the last entry that the team's database has
        clock  INTEGER NOT NULL,                               -- of the last entry, or a later one that was seen
        noted  INTEGER NOT NULL                                -- the last change of a write that the log tells of
    ) STRICT
    """,
    """
    CREATE TABLE team_entries (
        seq      INTEGER PRIMARY KEY,
        clock    INTEGER NOT NULL,
        kind     TEXT NOT NULL,
        version  INTEGER NOT NULL,
        subject  TEXT NOT NULL,
        body     TEXT NOT NULL CHECK (json_valid(body)),
        write_id INTEGER                                       -- its order is added when the entry is pushed
    ) STRICT
    """,
    "CREATE INDEX team_entries_by_write ON team_entries (write_id, seq) WHERE write_id IS NOT NULL",
    "CREATE TABLE team_unclaimed (attempt INTEGER PRIMARY KEY) STRICT",
    # Of an attempt: by desk of the team, the number of its latest write of this order that was known here then.
    "CREATE TABLE team_known (attempt INTEGER PRIMARY KEY, known TEXT NOT NULL CHECK (json_valid(known))) STRICT",
)


def _before_commit(c: apsw.Connection) -> None:
    """Seal the writes that a transaction has changed, and tell the team's log of them, before its commit."""
    seal_changed(c)
    if value(c, "SELECT 1 FROM team_state") is not None:
        from app.store.journal.team.team_log import note_changes  # not loaded for a desk without a team

        note_changes(c)


JOURNAL = Schema(
    name="journal",
    application_id=0x57624A31,  # "WbJ1"
    migrations=((*_DRAFTS, *_WRITES, *_TRIGGERS, *_ATTEMPTS, *_REQUESTS, *_OTHERS, *_COPIED, *_IMPORTS, *_TEAM),),
    disposable=False,
    synchronous="FULL",
    pragmas=("secure_delete = 1", *TO_THE_DISK),  # secure_delete wipes what is forgotten
    before_commit=_before_commit,
)
