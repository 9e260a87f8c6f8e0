"""The practice service: a made-up provider on this computer, with both services of the contract, in its own process.

Invariant: the same seed and clock give the same orders, audits and files. Nothing here imports a room but `contract`.
Begin reading at `server` (start and end), then `practice/web/dispatch` (the way of a request).
"""
