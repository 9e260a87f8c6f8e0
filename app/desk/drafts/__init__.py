"""An order before it is queued: the saved draft, templates, scanning, and the verdict on the form.

Begin with `saved_drafts`. Imports `desk.sending` (what sending would do); imported by the page `ui.entry`.
"""
