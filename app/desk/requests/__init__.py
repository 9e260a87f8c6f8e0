"""Requests that are sent once and by no queue: quotes, trucks, slot reservations. Begin with `send_request`.

Imports the journal and `desk.records`; imported by `desk.slots` and by the pages of quotes, trucks and slots.
"""
