"""A desk's part in its team: claims before attempts, what other desks have sent, who works on what.

Begin with `teamwork`. Imported only where a team is joined; the rest of `desk` knows it as `Desk.team`, which is None
otherwise. All sentences are in `team_words`.
"""
