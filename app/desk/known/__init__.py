"""Consignees, commodities, facilities and codes that were sent or seen before, offered while a person types.

Begin with `known_data`. The data lies in the cache (`store.cache.known_values`) and may be deleted.
"""
