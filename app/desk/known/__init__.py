"""Consignees, commodities, facilities and codes that were sent or seen before, to be offered again.

Begin with `known_data`. The data lies in the cache (`store.cache.known_values`) and may be deleted.
"""
