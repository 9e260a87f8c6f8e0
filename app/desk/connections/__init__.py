"""Connections of this installation: which there are, what each may do, what a person chose for it.

Begin with `profiles` (the list) and `connection` (connecting, and the permissions). Imported by nearly all of `desk`.
"""
