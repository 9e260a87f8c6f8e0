"""The tables of the cache. All of it can be fetched again, so a file that does not fit is moved aside and made anew.

An order's key is `partition << 40 | number`, and a partition is one list of one profile. So the orders of a list lie
side by side in every table, a range of keys says "this list", and the order by number needs no index.

No file has to survive a change of these tables: edit them in place and raise `application_id`. Every cache made before
that is then made anew at the next start.
"""

from dataclasses import replace

from app.store.sqlite.opening import Schema

NUMBER_BITS = 40  # of a key; the partition lies above them
MAX_NUMBER = (1 << NUMBER_BITS) - 1

_DAYS = "CAST(julianday(substr({}, 1, 10)) - julianday(substr({}, 1, 10)) AS INTEGER)"
_OVER = _DAYS.format("scheduled_delivery", "requested_delivery")
_LATE_BY = _DAYS.format("delivered_at", "due")

_ORDERS = (
    """
    CREATE TABLE partitions (
        partition INTEGER PRIMARY KEY,
        profile   TEXT NOT NULL,
        list      TEXT NOT NULL CHECK (list IN ('open', 'completed', 'other')),
        UNIQUE (profile, list)
    ) STRICT
    """,
    f"""
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY, partition INTEGER NOT NULL, number INTEGER NOT NULL,
        crn TEXT, state TEXT, status TEXT, consignee_name TEXT, city TEXT, region TEXT, zip TEXT,
        facility_name TEXT, facility_id TEXT, delivery_type TEXT,
        imported_at TEXT, requested_delivery TEXT, scheduled_delivery TEXT, delivered_at TEXT, received_at TEXT,
        street TEXT, phone TEXT, manufacturer TEXT, brand TEXT, bol TEXT, pos TEXT, remarks TEXT,
        estimated_receive TEXT, loaded_at TEXT, is_received INTEGER, is_delivered INTEGER,
        digest INTEGER NOT NULL,    -- of the JSON text last received
        changed_at TEXT NOT NULL,
        folders TEXT,               -- of its documents, a blank before and after each; NULL while they are not known
        carrier TEXT, received_by TEXT, loaded_by TEXT, delivered_by TEXT,
        due TEXT AS (substr(coalesce(scheduled_delivery, requested_delivery), 1, 10)),
        over INTEGER AS ({_OVER}),
        -- Days between the due day and the delivery. For an order not delivered they are counted when a query asks.
        late_by INTEGER AS ({_LATE_BY}),
        -- Lateness in two columns, since one of an awaited order grows with the days and one of a delivered does not.
        early INTEGER AS (iif(delivered_at IS NULL AND state IS NOT 'CAN', -CAST(julianday(due) AS INTEGER), NULL)),
        lateness INTEGER AS (iif(delivered_at IS NOT NULL AND state IS NOT 'CAN', late_by, NULL))
    ) STRICT
    """,
    # Only these two are kept while a long list arrives. To make an index afterwards takes a tenth of the time that it
    # takes to keep one meanwhile, so every other column gets its index when it is first sorted by (see `sort_order`).
    "CREATE INDEX orders_crn ON orders (partition, crn COLLATE NOCASE)",
    "CREATE INDEX orders_imported ON orders (partition, imported_at)",
    # The JSON texts as they were received, in the order in which they came. Several windows arrive at once, and orders
    # that were delivered in the same week have numbers of many weeks: in the order of their keys each page would be
    # written again for every batch, to the log and to the file.
    """
    CREATE TABLE raw_orders (place INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, raw TEXT NOT NULL) STRICT
    """,
    "CREATE TABLE search_texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",  # `order_columns.searched_text`
    "CREATE TABLE seen (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT",  # last seen, in milliseconds since 1970
    # The columns that changed since a person last looked at the order, see `change_marks`.
    "CREATE TABLE change_marks (id INTEGER PRIMARY KEY, columns TEXT NOT NULL) STRICT",
)

# How fetching went, and the orders that left the open list meanwhile. See `fetched_windows` and `reply_digests`.
_SYNC = (
    """
    CREATE TABLE windows (
        profile    TEXT NOT NULL,
        list       TEXT NOT NULL,
        start      TEXT NOT NULL,
        end        TEXT NOT NULL,
        fetched_at TEXT,               -- when the window last arrived whole
        count      INTEGER,            -- how many orders it held then
        error      TEXT,               -- why the latest try failed
        tried_at   TEXT,               -- the latest try, whole or not
        tries      INTEGER NOT NULL DEFAULT 0,  -- failed since it last arrived whole
        PRIMARY KEY (profile, list, start, end)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE departed (
        profile      TEXT NOT NULL,
        number       INTEGER NOT NULL,
        left_at      TEXT NOT NULL,
        looked_up_at TEXT,             -- when it was last asked for by its number
        outcome      TEXT,             -- what the provider answered then
        PRIMARY KEY (profile, number)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE replies (
        profile  TEXT NOT NULL,
        list     TEXT NOT NULL,
        start    TEXT NOT NULL,
        end      TEXT NOT NULL,
        includes TEXT NOT NULL,        -- the optional members that were requested
        at       INTEGER NOT NULL,     -- when its orders were seen, as in `seen`
        count    INTEGER NOT NULL,     -- records that it held
        digest   BLOB NOT NULL,
        keys     BLOB NOT NULL,        -- of the orders that it held, a serialized bitmap
        PRIMARY KEY (profile, list, start, end)
    ) STRICT, WITHOUT ROWID
    """,
)

# The search index, see `index.segments` and `index.merging`.
_INDEX = (
    "CREATE TABLE segments (segment INTEGER PRIMARY KEY, live BLOB NOT NULL, dead INTEGER NOT NULL) STRICT",
    """
    CREATE TABLE postings (
        segment INTEGER NOT NULL, term TEXT NOT NULL, keys BLOB NOT NULL, PRIMARY KEY (segment, term)
    ) STRICT, WITHOUT ROWID
    """,
    # The segments that are merged into a new one, and how many orders each spoke for when that began. Without a target
    # a segment was merged, and only its posting lists are left to be deleted. See `index.merging`.
    "CREATE TABLE merging (segment INTEGER PRIMARY KEY, target INTEGER, count INTEGER NOT NULL) STRICT",
    # `changes` grows with every change of an order, `segments` with every change of the index.
    "CREATE TABLE search_state (changes INTEGER NOT NULL, segments INTEGER NOT NULL) STRICT",
    "INSERT INTO search_state VALUES (1, 0)",
    # Orders that are not in the index as they are now; `change` is the value of `changes` at which they were put here.
    "CREATE TABLE unindexed (id INTEGER PRIMARY KEY, change INTEGER NOT NULL) STRICT",
)

# See `known_values`.
_KNOWN = (
    "CREATE TABLE unlearnt (id INTEGER PRIMARY KEY) STRICT",  # orders that nothing was learnt from yet
    "CREATE TABLE topics (topic INTEGER PRIMARY KEY, profile TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (profile, kind))"
    " STRICT",
    """
    CREATE TABLE known_values (
        id    INTEGER PRIMARY KEY,     -- topic << 40 | sent << 39 | n
        topic INTEGER NOT NULL,
        key   TEXT NOT NULL,           -- tells it from the others of its topic
        body  TEXT NOT NULL,           -- a JSON object of texts
        UNIQUE (topic, key)
    ) STRICT
    """,
    """
    CREATE VIRTUAL TABLE known_words
    USING fts5 (text, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3 4',
                tokenize = "ascii tokenchars '#'")
    """,
    "CREATE TABLE learnt_writes (profile TEXT PRIMARY KEY, upto INTEGER NOT NULL) STRICT, WITHOUT ROWID",
)

# See `audits`.
_AUDITS = (
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
        whole_at TEXT,                  -- when its questions were fetched, NULL for never
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

# See `past_changes`. `desk` is the partition of a profile's open list.
_PAST = (
    """
    CREATE TABLE past_changes (
        desk   INTEGER NOT NULL,
        number INTEGER NOT NULL,
        at     INTEGER NOT NULL,        -- when the provider was asked, as in `seen`
        since  INTEGER NOT NULL,        -- since when it had said otherwise
        was    TEXT NOT NULL,           -- a JSON object: column → its value before and after
        PRIMARY KEY (desk, number, at)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE changed_days (
        desk    INTEGER NOT NULL,
        name    TEXT NOT NULL,          -- of `CHANGE_NAMES`, empty for any change
        day     TEXT NOT NULL,
        count   INTEGER NOT NULL,
        numbers BLOB NOT NULL,          -- of the orders, a serialized bitmap
        PRIMARY KEY (desk, name, day)
    ) STRICT, WITHOUT ROWID
    """,
)

# See `kept_answers`.
_ANSWERS = (
    """
    CREATE TABLE kept_answers (
        profile TEXT NOT NULL,
        subject TEXT NOT NULL,          -- what was asked for
        asked   TEXT NOT NULL,          -- by what, as JSON text
        at      TEXT NOT NULL,          -- when the provider was asked
        count   INTEGER NOT NULL,
        records TEXT NOT NULL,          -- the records as they came, a JSON list
        PRIMARY KEY (profile, subject, asked)
    ) STRICT, WITHOUT ROWID
    """,
)

CACHE = Schema(
    name="cache",
    application_id=0x57624337,  # "WbC7"
    migrations=((*_ORDERS, *_SYNC, *_INDEX, *_KNOWN, *_AUDITS, *_PAST, *_ANSWERS),),
    disposable=True,
    synchronous="NORMAL",
    pragmas=(
        # 4 MiB. The system caches the file's pages too: with five times as much, no search, no batch of orders and no
        # index for sorting got any quicker among a million orders.
        "cache_size = -4096",
        "wal_autocheckpoint = 8000",  # 64 MiB: fewer copies of the same page while a list arrives
        "journal_size_limit = 67108864",
    ),
)

# For the connection that only reads: it holds no pages that wait to be written.
CACHE_FOR_READING = replace(CACHE, pragmas=(*CACHE.pragmas, "cache_size = -1024"))
