"""The page *Today*: one line for each thing that needs somebody, worked down to none.

Begin with `today_page`. Imported by `ui.shell` alone; imports `desk.today`, `ui.orders` (the order beside the list, the
rules) and the widgets.
"""
