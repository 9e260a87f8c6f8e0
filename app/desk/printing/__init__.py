"""Labels and sheets laid out as plain data, in millimetres. `ui.printing` paints them.

Begin with `page_marks`. Imports `contract` and the journal; imported by reports, exports and `ui.printing`.
"""
