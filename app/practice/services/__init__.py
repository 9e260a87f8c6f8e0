"""One function for each operation of services.md, and for the few of practice itself.

Begin reading at `registry`, which names them all.
"""
