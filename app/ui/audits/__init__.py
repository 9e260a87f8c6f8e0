"""The audits page: the list with its plot, one audit opened, one question across audits, and files made of them.

Begin with `audits_page`; `audits_words` holds the sentences. Imports `ui.viewer` and widgets; imported by the shell.
"""
