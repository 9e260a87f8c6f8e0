"""The fault suite: what must hold when things break, at the size of the measures, reproducible from a printed seed.

A fault is a module with a `FAULT` and a line in `faults.py`. pytest runs each at its small size; the whole is
`python3 packaging/dev.py faults --full`.
"""
