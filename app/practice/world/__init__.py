"""The made-up world of orders and audits.

Invariant: every function is pure, of a seed, a number and a moment; no disk, no network, no clock. So the same
seed gives the same world, and only what lists search for has to be stored. Begin reading at `dice`, then `life`.
"""
