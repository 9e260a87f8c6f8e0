"""What a desktop notice is about, what it says, and what was noticed before. Begin with `notice_facts`.

    notice_choices   what a person chose: of what, when not, whether references may stand in a notice
    notice_facts     the facts of each kind as the stores have them now
    notice_ledger    which facts were noticed before, also over a restart
    notice_text      the words of one notice, and the place that a click on it opens

Imports `desk.reasons`, `desk.orders` and `desk.today`; imported by `background/noticer` and `ui/notices`. No Qt.
"""
