"""The insights page: plots of orders, of what this desk sent, and of audits, each leading to its rows.

Imported by the shell. Begin with `insights_page`.
"""
