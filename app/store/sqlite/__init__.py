"""SQLite itself: one file, one connection, one thread. Knows neither journal nor cache.

    database       a file and its thread: `read`, `write`, `close`. Begin here
    opening        how a file is checked, migrated, backed up and moved aside when it is opened
    group_commit   several writes in one commit
    open_cursors   closes every cursor after a call
    thread_future  waiting for a job on another thread
    plain_rows, text_values, search_text    values on their way in and out

Used by `store/journal` and `store/cache`; imports nothing of ours but `store_errors` and `translation`.
"""
