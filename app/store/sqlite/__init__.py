"""SQLite itself: one file, one connection, one thread. Knows neither journal nor cache.

Begin with `database`; `opening` checks and migrates a file, `group_commit` lets writes share a commit.
"""
