"""This desk's log for its team: entries that wait in the journal until the team's database has them.

    team_log      the entries, their numbers, and what was pushed. Begin here
    team_places   how every desk of a team names the same provider
    team_choice   which team was chosen in the settings
    write_facts   what an entry says of a write

Nothing of PostgreSQL is known here. Imported by the journal's schema, so it imports nothing of the rest of the journal
but `records` and `setting_store`. Without a row in `team_state` the team is off, and every function here does nothing.
"""
