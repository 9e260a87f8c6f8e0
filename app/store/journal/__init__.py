"""The journal: what must never be lost. Writes with their bytes and outcomes, drafts, profiles, reviews, settings.

    write_store    queueing, attempts, outcomes; `records` has the records and the states. Begin here
    claim          how a write leaves the queue: last look, decision and attempt in one transaction
    held_writes, undo_window                writes that wait for a person, cancellations that can be undone
    own_evidence, automatic_resend          what earlier attempts prove, and the one resend
    outstanding_writes                      the writes that the list of orders shows
    request_store                           quotes, trucks and slot reservations, sent once each
    import_store, import_setting_store      files of orders: their rows, their mappings, what is open
    draft_store, profile_store, template_store, review_store, setting_store    the other contents
    team/          what this desk tells its team
    schema/        the tables, and the digest of each write
    recovery/      checks, the readable copy, repair, backup, retention

Every function takes the connection first and runs through `Database.read` or `Database.write`.
"""
