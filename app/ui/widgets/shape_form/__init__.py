"""A form made from a shape (`desk/console/forms/shapes`): fields, records, rows, alternatives, unnamed members.

Knows no page, no operation and no network. Begin with `shape_form`, whose docstring says how to use it; `form_part`
says what every part of a form can do. Imported by the pages that let a person fill in a record.
"""
