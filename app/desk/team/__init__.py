"""A desk's part in its team: claims before attempts, what other desks have sent, who works on what.

    teamwork      what a desk asks of its team while it works. Begin here
    order_story   what the others did with one order, and whether two desks sent it at a time
    sharing       views and templates that are shared on purpose
    settle_for_others  a decision about a write in doubt of another desk
    joining       joining a team and leaving it
    team_words    all sentences

Imported only where a team is joined; the rest of `desk` knows it as `Desk.team`, which is None otherwise.
"""
