"""The database that a team shares: its log, claims and presence, on PostgreSQL.

    team_place       where the database is, and how it is reached safely
    team_errors      what can go wrong there, each with the sentence for a person
    setup_database   makes the tables and roles from the statements in resources/team (`waybill --team-setup`)
    team_calls       every call to the database. Begin here
    team_entry       the records of entries
    team_file        what the other desks said, in a file of this computer
    team_link        the connection, on a thread of its own
    no_link          stands in for it while there is none
    try_team         walks the way to the database leg by leg, for the settings

Invariants: psycopg is used in this folder and nowhere else, and nothing of this folder is imported while the team is
off. The database holds copies and courtesies: what a desk cannot do without is in its journal.
"""
