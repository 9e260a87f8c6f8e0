"""The page of the outbox, and all sentences about a write anywhere in the window. Begin with `outbox_page`.

outbox_page, outbox_model   the page, its tabs and its table
team_outbox                 in a team: whose writes it shows, a decision about another desk's doubt
write_story                 one write beside the table, and what a person can do with it
follow_write                one write in a message bar
outbox_words                all sentences
"""
