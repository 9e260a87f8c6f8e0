"""The contract of the provider's two services: records, codes and rules. Begin with `check`.

Imports nothing of ours; every other room may import it.
"""
