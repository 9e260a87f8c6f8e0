"""The made-up client world: pure functions of a seed, an index and a moment; no disk, no network, no clock."""
