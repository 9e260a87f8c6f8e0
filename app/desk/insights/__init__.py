"""The numbers behind the plots: orders, what this desk sent, audits; and the weekly page.

Imported by `ui.plots` and `ui.insights`. Begin with `plot_data`, then `order_plots`. A plot never says more than the
provider and this desk's journal do, and its definition stands beside it.
"""
