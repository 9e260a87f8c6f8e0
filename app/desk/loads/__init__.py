"""Loads: what the provider marked as overage on a load, and this desk's orders that named it.

Begin with `load_orders`. Imports `desk.records`, `desk.known`, `desk.drafts` and the stores; imported by the loads page
and by the orders page, which leads from an order to its load.
"""
