"""What is kept on this computer: the journal (precious), the cache (disposable) and secrets.

SQLite (through apsw) and the keyring are used in this room and nowhere else; there is no Qt and no
network here. Nothing needed for the first paint imports more than apsw and the standard library.

    errors      the error tree, each with the sentence a person reads
    database    one SQLite file, one connection, one thread
    opening     how a file is opened: checks, migrations, backup, moving aside
    paths       which file lies where
    keeping     the journal as the program opens it: checked, repaired, copied as it is written
    journal*    drafts, what was queued and sent, how it ended; profiles and settings lie in the same file
    salvage, rebuild, recovery    how a damaged journal is made anew
    backup, retention             a copy a person keeps, the way back from it, and forgetting
    cache*      orders as last seen, which dates were fetched, and the queries behind the tables
    pictures    photos and documents that were fetched, as files
    memory      what was sent or seen before, to be offered again
    secrets     client secrets in the operating system's keyring
"""
