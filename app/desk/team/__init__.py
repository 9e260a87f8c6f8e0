"""A desk's part in its team: claims before attempts, what other desks have sent, who works on what.

    teamwork       what a desk asks of its team while it works. Begin here
    others_orders  what the others did with one order, two desks at a time, and decisions about their doubts
    sharing        views and templates that are shared on purpose
    joining        joining a team and leaving it
    team_words     all sentences

Imported only where a team is joined; the rest of `desk` knows it as `Desk.team`, which is None otherwise.
"""
