"""Everything stored on this computer: the journal (precious), the cache (disposable), pictures and secrets.

    sqlite/         SQLite itself: one file, one connection, one thread
    journal/        drafts, writes and their outcomes, profiles, reviews, settings
    cache/          orders and audits as last fetched, and the queries behind the tables
    picture_files   fetched photos and documents, as files
    secrets         client secrets, in the operating system's keyring
    paths           the paths of all these
    store_errors    the tree of errors, each with the sentence for a person

Invariant: apsw and the keyring are used in this folder and nowhere else. Nothing here imports Qt, the network or any
other folder of ours but `contract` and `translation`; whatever the first paint needs imports no more than apsw and the
standard library.
"""
