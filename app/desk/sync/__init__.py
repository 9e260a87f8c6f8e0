"""Brings orders from the provider into the cache, window of days by window of days.

Begin with `order_sync`; `window_plan` says which windows, `fetch_window` fetches one.
"""
