"""The contract of the provider's two services: records, codes and rules. Begin with `check`.

The provider's contract (services.md) and the notes on its readings and traps (notes.md) are kept outside the
repository. Every "services.md" or "notes.md" in the program names a heading or a number there.

Imports nothing of ours; every other room may import it.
"""
