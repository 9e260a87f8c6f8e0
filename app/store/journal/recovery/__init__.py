"""The safety of the journal: checks, the readable copy, repair, backup, retention.

    journal_file       the journal as the program opens it. Begin here
    unfinished_writes  what becomes of writes that were on their way, at a start and after a repair
    readable_copy      the text file next to the journal; `copy_lines` says what its lines look like
    journal_repair     a damaged journal is replaced: `salvage` reads its pages, `rebuild` fills a new one
    backup             a copy for a person to keep, and restoring from it
    retention          deletes what ended long ago

Used by `desk/connections`, `desk/sending`, Settings and `bootstrap`.
"""
