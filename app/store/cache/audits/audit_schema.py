"""The cache's tables of audits (see `audits`)."""

AUDIT_TABLES = (
    """
    CREATE TABLE audits (
        profile  TEXT NOT NULL,
        number   INTEGER NOT NULL,
        date     TEXT,
        kind     TEXT,
        facility TEXT,
        vendor   TEXT,
        score    REAL,
        seen_at  TEXT NOT NULL,         -- when the provider was asked
        auditor  TEXT,                  -- this and the rest came with its questions
        email    TEXT,
        domicile TEXT,
        order_number TEXT,
        whole_at TEXT,                  -- when its questions were asked for, NULL for never
        PRIMARY KEY (profile, number)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX audits_by_date ON audits (profile, date, number, score, kind, facility, vendor)",
    """
    CREATE TABLE audit_answers (
        profile  TEXT NOT NULL,
        number   INTEGER NOT NULL,
        place    INTEGER NOT NULL,      -- as they came, from 0
        question TEXT,                  -- its id
        text     TEXT,
        answer   TEXT,
        photo    TEXT,                  -- its address as the provider wrote it
        PRIMARY KEY (profile, number, place)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX audit_answers_by_question ON audit_answers (profile, question, number)",
    """
    CREATE TABLE audit_windows (
        profile    TEXT NOT NULL,
        first      TEXT NOT NULL,       -- days, both included
        last       TEXT NOT NULL,
        fetched_at TEXT,                -- when it last arrived whole
        error      TEXT,                -- why the latest try failed
        PRIMARY KEY (profile, first, last)
    ) STRICT, WITHOUT ROWID
    """,
)
