"""Reports that a person can pass on: shown whole before they are copied, and without names, addresses and secrets.

Nothing here sends anything. For the shell and the settings page; begin with `report_dialog`.
"""
