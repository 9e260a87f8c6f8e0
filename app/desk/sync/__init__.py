"""Brings orders from the provider into the cache, one window of days after another.

Begin with `order_sync`, which runs several windows at once; `window_plan` chooses the windows, `fetch_window` fetches
one, `order_facts` and `announced_orders` turn records into rows, `departed_orders` looks up orders that left the open
list. Imports `api` and `store`; imported by `background` and the pages.
"""
