"""Delivery slots of partners A and B: asked for, read from whatever comes, reserved. Begin with `slot_calls`.

Imports `desk.requests` and `desk.records`; imported by the dialog of slots and by the order beside the table.
"""
