"""Services that run while the window is open and are no user interface. Begin with `sender`.

    news, throttle   the signals by which pages and services hear of changes
    connector        connects the desk in force to its provider
    sender           drains the send queue, and tries again
    settler          settles doubts and confirms what was accepted
    order_refresher  fetches orders by the clock and on demand
    audit_refresher  fetches audits by the clock and on demand
    import_feeder    puts orders of imports into the outbox, portion by portion
    folder_watcher   takes files from the watched folder
    noticer          finds what is to be noticed on the desktop, and when
    learner          learns consignees, commodities and codes from what was sent and seen
    cleaner          deletes what was fetched through removed connections
    team_connector   opens and closes the link to the team that a person chose
    updater          looks for newer versions, and hands one to the system when a person says so
    background_words  the sentences of these services

Imports `desk`, `store` and `runtime`; imported by `ui`. Knows no widget.
"""
