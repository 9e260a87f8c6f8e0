"""An order before it is queued: the draft as typed, templates, scanning, and the verdict beside the form.

Begin with `saved_drafts`. Imports `desk.sending` (what sending would do); imported by the page `ui.entry`.
"""
