"""The journal: what must never be lost. Writes with their bytes and outcomes, drafts, profiles, reviews, settings.

    write_store    queue a write, attempts, outcomes; `records` says what is handed out
    claim          how a write leaves the queue: last look, decision and attempt in one transaction
    held_writes, own_evidence, automatic_resend, undo_window, outstanding_writes    parts of a write's life
    draft_store, profile_store, template_store, review_store, setting_store         the other contents
    copied_folder  a journal that is used in another place than before sends nothing
    schema/        the tables and the digest of each write
    recovery/      the readable copy, repair, backup, retention

Begin with `write_store`. Every function takes the connection and runs through `Database.read` or `Database.write`.
"""
