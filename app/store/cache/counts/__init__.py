"""Numbers over many orders and audits at once: how long steps took, how audits scored. Begin with `step_times`.

Imported by `desk.forecast` and `desk.insights`. Each function that may take long calls `step` often, which may raise.
"""
