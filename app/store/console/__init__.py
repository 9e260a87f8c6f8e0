"""The file of the console: calls made by hand with their answers, and the provider's description as it was fetched.

A file of its own. Answers of megabytes in the journal would slow every backup and check of the orders, for something
that nobody is owed; and a new version of the cache is made anew, while a history should outlive an update. It may be
deleted at any time. Begin with `console_schema`. Imported by `desk/console` and `bootstrap`.
"""
