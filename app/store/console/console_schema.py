"""The tables of the console's file. Migrations as in `journal_schema`: a released one is never edited."""

from app.store.sqlite.opening import Schema

_CALLS = (
    """
    CREATE TABLE calls (
        id           INTEGER PRIMARY KEY AUTOINCREMENT,   -- also their order
        profile      TEXT NOT NULL,
        at           TEXT NOT NULL,                       -- UTC
        operation    TEXT NOT NULL,
        name         TEXT NOT NULL,                       -- in expressions: of the operation, or of the named request
        method       TEXT NOT NULL,
        target       TEXT NOT NULL,                       -- path and query as sent
        parameters   TEXT NOT NULL CHECK (json_valid(parameters)),
        body         TEXT NOT NULL,                       -- as typed
        body_format  TEXT NOT NULL,
        accept       TEXT NOT NULL,
        status       INTEGER NOT NULL,                    -- 0: no answer came
        reason       TEXT NOT NULL,
        sentence     TEXT NOT NULL,
        headers      TEXT NOT NULL CHECK (json_valid(headers)),
        content_type TEXT NOT NULL,
        answer       BLOB,                                -- compressed; NULL where it is not kept
        size         INTEGER NOT NULL,
        phases       TEXT NOT NULL CHECK (json_valid(phases)),
        seconds      REAL NOT NULL,
        flags        INTEGER NOT NULL,                    -- 1: cut off, 2: may have acted
        hidden       INTEGER NOT NULL,
        write_id     INTEGER,                             -- the write in the journal that it became
        searched     TEXT NOT NULL                        -- what a search looks at
    ) STRICT
    """,
    "CREATE INDEX calls_by_profile ON calls (profile, id)",
    "CREATE INDEX calls_by_operation ON calls (profile, operation, id)",
)
_DESCRIPTIONS = (
    """
    CREATE TABLE descriptions (
        profile    TEXT PRIMARY KEY,
        address    TEXT NOT NULL,                         -- the service that it was fetched from
        fetched_at TEXT NOT NULL,                         -- UTC
        text       BLOB NOT NULL                          -- compressed
    ) STRICT, WITHOUT ROWID
    """,
)

_DRAFTS = (
    """
    CREATE TABLE drafts (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,    -- also the order in which they were typed
        profile     TEXT NOT NULL,
        operation   TEXT NOT NULL,
        at          TEXT NOT NULL,                        -- UTC, when it was typed last
        parameters  TEXT NOT NULL CHECK (json_valid(parameters)),
        body        TEXT NOT NULL,
        body_format TEXT NOT NULL,
        accept      TEXT NOT NULL,
        UNIQUE (profile, operation)
    ) STRICT
    """,
)

CONSOLE = Schema(
    name="console's file",
    application_id=0x5762436F,  # "WbCo"
    migrations=((*_CALLS, *_DESCRIPTIONS, *_DRAFTS),),
    disposable=True,
    synchronous="NORMAL",
    pragmas=("secure_delete = 1",),  # what is forgotten is wiped
)
