"""The journal's tables. Written so that a person with any SQLite tool can read, in an emergency, what was sent.

Migrations are data: the tuple at index n leads from `user_version` n to n + 1 and is never edited once released.
"""

from app.store.journal.review_store import REVIEW_TABLES
from app.store.journal.schema.seal import seal_changed
from app.store.journal.schema.utc_migration import moments_to_utc
from app.store.sqlite.opening import TO_THE_DISK, Schema

_FIRST = (
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
    """
    CREATE TABLE writes (
        id         INTEGER PRIMARY KEY AUTOINCREMENT,          -- also their order
        profile    TEXT NOT NULL,
        kind       TEXT NOT NULL CHECK (kind IN ('submit', 'cancel')),
        reference  TEXT NOT NULL,
        payload    BLOB NOT NULL,                              -- the exact bytes to send
        sha256     TEXT NOT NULL,                              -- of the payload, in hexadecimal
        state      TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'accepted', 'confirmed', 'rejected',
                                                  'in_doubt', 'withdrawn')),
        queued_at  TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        draft_id   TEXT,
        note       TEXT                                        -- the latest words about it
    ) STRICT
    """,
    "CREATE INDEX writes_by_state ON writes (profile, state, id)",
    "CREATE INDEX writes_by_reference ON writes (profile, reference, id)",
    "CREATE UNIQUE INDEX writes_one_sending ON writes (profile, reference) WHERE state = 'sending'",
    """
    CREATE TRIGGER writes_keep_what_was_queued
    BEFORE UPDATE OF id, profile, kind, reference, payload, sha256, queued_at ON writes
    BEGIN SELECT RAISE (ABORT, 'what was queued is never changed'); END
    """,
    """
    CREATE TABLE attempts (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        write_id    INTEGER NOT NULL REFERENCES writes (id),
        started_at  TEXT NOT NULL,                             -- written before the first byte is sent
        ended_at    TEXT,
        outcome     TEXT,
        http_status INTEGER,
        reply       BLOB,                                      -- the reply's exact bytes
        reply_type  TEXT,
        sentence    TEXT,
        CHECK ((ended_at IS NULL) = (outcome IS NULL))
    ) STRICT
    """,
    "CREATE INDEX attempts_of_write ON attempts (write_id, id)",
    "CREATE UNIQUE INDEX attempts_one_open ON attempts (write_id) WHERE ended_at IS NULL",
    """
    CREATE TABLE profiles (
        id            TEXT PRIMARY KEY,
        name          TEXT NOT NULL CHECK (trim(name) <> ''),
        kind          TEXT NOT NULL CHECK (kind IN ('practice', 'test', 'production')),
        base_url      TEXT NOT NULL,
        info_base_url TEXT NOT NULL,
        auth_url      TEXT NOT NULL,
        client_id     TEXT NOT NULL,
        scopes        TEXT NOT NULL CHECK (json_valid(scopes))  -- those a token is asked for, [] for all
    ) STRICT
    """,
    "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value))) STRICT",
)

# What was known before a write left, what a person agreed to, and why one waits.
_SECOND = (
    "ALTER TABLE writes ADD COLUMN verdict TEXT",  # what the provider said of the reference just before it was sent
    "ALTER TABLE writes ADD COLUMN agreed TEXT",  # the verdict that a person said yes to
    "ALTER TABLE writes ADD COLUMN held TEXT",  # why it waits for a person; it is not sent while this is set
    "ALTER TABLE writes ADD COLUMN not_before TEXT",  # it can be taken back until then
)

# Every change of a write has a number, and every row a seal (see journal_seal): the copy beside the journal follows by
# the numbers, and a journal that is older than its copy, or a row that is not what it was, is known.
_NUMBER_IT = """
    UPDATE tally SET change = change + 1;
    UPDATE writes SET change = (SELECT change FROM tally), seal = NULL WHERE id = NEW.id;
"""
_THIRD = (
    "ALTER TABLE writes ADD COLUMN change INTEGER",  # grows with every change of any write
    "ALTER TABLE writes ADD COLUMN seal TEXT",
    """
    CREATE TABLE tally (
        one     INTEGER PRIMARY KEY CHECK (one = 1),
        change  INTEGER NOT NULL,                              -- the number of the last change
        journal TEXT NOT NULL                                  -- which journal this is
    ) STRICT
    """,
    "UPDATE writes SET change = id",
    "INSERT INTO tally SELECT 1, coalesce(max(id), 0), lower(hex(randomblob(8))) FROM writes",
    "CREATE INDEX writes_by_change ON writes (change)",
    "CREATE INDEX writes_unsealed ON writes (id) WHERE seal IS NULL",
    f"CREATE TRIGGER writes_number_new AFTER INSERT ON writes BEGIN {_NUMBER_IT} END",
    f"""
    CREATE TRIGGER writes_number_changes AFTER UPDATE ON writes
    WHEN NEW.seal IS OLD.seal AND NEW.change IS OLD.change BEGIN {_NUMBER_IT} END
    """,
)

# Moments are in UTC from here on: those from before were local time without a zone. And an attempt that did not leave
# says how many times the same happened again, instead of a row for each.
_TO_UTC = "/* every moment becomes one in UTC, and every seal that of its row: see journal_utc */"
_FOURTH = (
    "ALTER TABLE attempts ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0",
    "DROP TRIGGER writes_keep_what_was_queued",
    "DROP TRIGGER writes_number_changes",
    _TO_UTC,
    """
    CREATE TRIGGER writes_keep_what_was_queued
    BEFORE UPDATE OF id, profile, kind, reference, payload, sha256, queued_at ON writes
    BEGIN SELECT RAISE (ABORT, 'what was queued is never changed'); END
    """,
    f"""
    CREATE TRIGGER writes_number_changes AFTER UPDATE ON writes
    WHEN NEW.seal IS OLD.seal AND NEW.change IS OLD.change BEGIN {_NUMBER_IT} END
    """,
)

# A new order in doubt that the provider does not know is sent again by itself, once (see journal_resend). What was not
# taken (429) is looked for whenever something is sent.
_SIXTH = (
    "ALTER TABLE writes ADD COLUMN missed_at TEXT",  # when the provider first did not know it, since it was sent
    "ALTER TABLE writes ADD COLUMN missed_again_at TEXT",  # when it did not know it just before it was sent again
    "ALTER TABLE writes ADD COLUMN resend INTEGER",  # the attempt that was begun by itself
    "CREATE INDEX attempts_turned_back ON attempts (write_id) WHERE outcome = 'not_taken'",
)

JOURNAL = Schema(
    name="journal",
    application_id=0x57624A31,  # "WbJ1"
    migrations=(_FIRST, _SECOND, _THIRD, _FOURTH, REVIEW_TABLES, _SIXTH),
    disposable=False,
    synchronous="FULL",
    pragmas=("secure_delete = 1", *TO_THE_DISK),  # what is forgotten is wiped
    before_commit=seal_changed,
    by_hand={_TO_UTC: moments_to_utc},
)
