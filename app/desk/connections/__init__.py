"""Connections of this installation: which there are, what each may do, what a person chose for it.

Begin with `profiles` (the list) and `connection` (connecting, and the permissions). All sentences are in
`connections_words`. Imported by nearly all of `desk`.
"""
