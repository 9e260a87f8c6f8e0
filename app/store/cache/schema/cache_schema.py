"""The cache's tables. All of it can be fetched again, so a file that does not fit is made anew.

An order's key is `shelf << 40 | number`, a shelf being one list of one profile: the orders of a list lie
together, a range of keys says "this list", also to the text index, and the number order needs no index.
"""

from app.store.cache.audits.audit_schema import AUDIT_TABLES
from app.store.sqlite.opening import Schema

SHELF_BITS = 40
MAX_NUMBER = (1 << SHELF_BITS) - 1

_FIRST = (
    """
    CREATE TABLE shelves (
        shelf   INTEGER PRIMARY KEY,
        profile TEXT NOT NULL,
        list    TEXT NOT NULL CHECK (list IN ('open', 'completed', 'other')),
        UNIQUE (profile, list)
    ) STRICT
    """,
    """
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL, number INTEGER NOT NULL,
        crn TEXT, state TEXT, status TEXT, consignee_name TEXT, city TEXT, region TEXT, zip TEXT,
        facility_name TEXT, facility_id TEXT, delivery_type TEXT,
        imported_at TEXT, requested_delivery TEXT, scheduled_delivery TEXT, delivered_at TEXT, received_at TEXT,
        street TEXT, phone TEXT, manufacturer TEXT, brand TEXT, bol TEXT, pos TEXT, remarks TEXT,
        estimated_receive TEXT, loaded_at TEXT, is_received INTEGER, is_delivered INTEGER,
        digest INTEGER NOT NULL,    -- of the text last received
        changed_at TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX orders_crn ON orders (shelf, crn COLLATE NOCASE)",
    "CREATE INDEX orders_state ON orders (shelf, state)",
    "CREATE INDEX orders_consignee ON orders (shelf, consignee_name COLLATE NOCASE)",
    "CREATE INDEX orders_imported ON orders (shelf, imported_at)",
    "CREATE INDEX orders_requested ON orders (shelf, requested_delivery)",
    "CREATE INDEX orders_scheduled ON orders (shelf, scheduled_delivery)",
    "CREATE TABLE raws (id INTEGER PRIMARY KEY, raw TEXT NOT NULL) STRICT",  # the provider's own text
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT",  # what a person searches by
    "CREATE TABLE seen (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT",  # milliseconds since 1970
    """
    CREATE VIRTUAL TABLE trigrams
    USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')
    """,
    "INSERT INTO trigrams (trigrams, rank) VALUES ('hashsize', 16777216)",
    "CREATE TABLE unindexed (id INTEGER PRIMARY KEY) STRICT",  # in texts, not yet in trigrams
    """
    CREATE TABLE windows (
        profile    TEXT NOT NULL,
        list       TEXT NOT NULL,
        start      TEXT NOT NULL,
        end        TEXT NOT NULL,
        fetched_at TEXT,               -- when it last arrived whole
        count      INTEGER,            -- how many orders it held then
        error      TEXT,               -- why the latest try failed
        PRIMARY KEY (profile, list, start, end)
    ) STRICT, WITHOUT ROWID
    """,
)

# What this desk knows by heart (see memory).
_SECOND = (
    "CREATE TABLE unlearnt (id INTEGER PRIMARY KEY) STRICT",  # orders that nothing was learnt from yet
    "INSERT INTO unlearnt SELECT id FROM seen",
    "CREATE TABLE topics (topic INTEGER PRIMARY KEY, profile TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (profile, kind))"
    " STRICT",
    """
    CREATE TABLE known (
        id    INTEGER PRIMARY KEY,     -- topic << 40 | sent << 39 | n
        topic INTEGER NOT NULL,
        key   TEXT NOT NULL,           -- what tells it from others of its kind
        body  TEXT NOT NULL,           -- what is known of it, a JSON object of texts
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

# How fetching went, and what left the open list meanwhile (see cache_windows).
_SYNC = (
    "ALTER TABLE windows ADD COLUMN tried_at TEXT",  # the latest try, whole or not
    "ALTER TABLE windows ADD COLUMN tries INTEGER NOT NULL DEFAULT 0",  # that failed since it last arrived whole
    """
    CREATE TABLE departed (
        profile  TEXT NOT NULL,
        number   INTEGER NOT NULL,
        left_at  TEXT NOT NULL,
        asked_at TEXT,                 -- when it was last asked for by its number
        said     TEXT,                 -- what the provider answered then
        PRIMARY KEY (profile, number)
    ) STRICT, WITHOUT ROWID
    """,
)

_DAYS = "CAST(julianday(substr({}, 1, 10)) - julianday(substr({}, 1, 10)) AS INTEGER)"
# What filters and columns ask for beyond the first ones (see cache_filter).
_FILTERS = (
    "ALTER TABLE orders ADD COLUMN folders TEXT",  # of its documents, a blank before and after each; NULL is not known
    *(f"ALTER TABLE orders ADD COLUMN {name} TEXT" for name in ("carrier", "received_by", "loaded_by", "delivered_by")),
    "ALTER TABLE orders ADD COLUMN due TEXT AS (substr(coalesce(scheduled_delivery, requested_delivery), 1, 10))",
    "ALTER TABLE orders ADD COLUMN over INTEGER AS (" + _DAYS.format("scheduled_delivery", "requested_delivery") + ")",
    # By how many days it was delivered after the due day; the days that pass until then are counted when it is asked.
    "ALTER TABLE orders ADD COLUMN late_by INTEGER AS (" + _DAYS.format("delivered_at", "due") + ")",
    "CREATE TABLE unlooked (id INTEGER PRIMARY KEY, columns TEXT NOT NULL) STRICT",  # changed since it was looked at
)

# The search index (see cache_segments).
_SEARCH = (
    "DROP TABLE trigrams",
    "DROP TABLE unindexed",
    "CREATE TABLE segments (segment INTEGER PRIMARY KEY, live BLOB NOT NULL, dead INTEGER NOT NULL) STRICT",
    """
    CREATE TABLE grams (
        segment INTEGER NOT NULL, term TEXT NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (segment, term)
    ) STRICT, WITHOUT ROWID
    """,
    # `changes` grows with every change of an order, `segments` with every change of the index
    "CREATE TABLE search_state (changes INTEGER NOT NULL, segments INTEGER NOT NULL) STRICT",
    "INSERT INTO search_state VALUES (1, 0)",
    "CREATE TABLE unindexed (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT",  # `at` is the change it waits since
    "INSERT INTO unindexed SELECT id, 1 FROM texts",
)

# Sorting by lateness: what grows with the days, and what does not any more. And months and beginnings have sets too.
_LATENESS = (
    """
    ALTER TABLE orders ADD COLUMN early INTEGER
    AS (iif(delivered_at IS NULL AND state IS NOT 'CAN', -CAST(julianday(due) AS INTEGER), NULL))
    """,
    """
    ALTER TABLE orders ADD COLUMN lateness INTEGER
    AS (iif(delivered_at IS NOT NULL AND state IS NOT 'CAN', late_by, NULL))
    """,
    "DELETE FROM segments",
    "DELETE FROM grams",
    "INSERT OR REPLACE INTO unindexed SELECT id, changes + 1 FROM texts, search_state",
    "UPDATE search_state SET changes = changes + 1, segments = segments + 1",
)

# Replies of whole windows, so that one that comes again word for word need not be read again (see cache_replies).
_REPLIES = (
    """
    CREATE TABLE replies (
        profile TEXT NOT NULL,
        list    TEXT NOT NULL,
        start   TEXT NOT NULL,
        end     TEXT NOT NULL,
        parts   TEXT NOT NULL,         -- what was asked for beside the orders themselves
        at      INTEGER NOT NULL,      -- when its orders were seen, as in seen
        count   INTEGER NOT NULL,      -- records that it held
        digest  BLOB NOT NULL,
        keys    BLOB NOT NULL,         -- the orders that it held, a set
        PRIMARY KEY (profile, list, start, end)
    ) STRICT, WITHOUT ROWID
    """,
)

# An index is made in a tenth of the time that it takes to keep it while a long list arrives (see cache_order).
_SORTED_LATER = tuple(f"DROP INDEX orders_{name}" for name in ("state", "consignee", "requested", "scheduled"))

CACHE = Schema(
    name="cache",
    application_id=0x57624331,  # "WbC1"
    migrations=(_FIRST, _SECOND, AUDIT_TABLES, _SYNC, _FILTERS, _SEARCH, _LATENESS, _REPLIES, _SORTED_LATER),
    disposable=True,
    synchronous="NORMAL",
    pragmas=(
        # 4 MiB, and there are two connections. The system keeps the file's pages too: five times as much made neither a
        # search, nor storing, nor an index for sorting any quicker among a million orders.
        "cache_size = -4096",
        "wal_autocheckpoint = 4000",  # 32 MiB: fewer copies of the same page while a list arrives
        "journal_size_limit = 67108864",
    ),
)
