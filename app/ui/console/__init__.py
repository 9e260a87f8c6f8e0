"""The page "Console": every operation of both services, its form, its answer, and what was called before.

Begin with `console_page`. What it shows and sends is worked out in `desk/console`; the form is `ui/widgets/shape_form`.
"""
