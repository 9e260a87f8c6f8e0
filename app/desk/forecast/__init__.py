"""How long the steps of an order take, and which open orders are likely late, from this desk's completed orders.

Imported by `desk.filter`, `desk.insights`, `desk.today`, and pages. Begin with `likely_late`. A forecast is silent
below `LEAST_CASES`, and never without its ground.
"""
