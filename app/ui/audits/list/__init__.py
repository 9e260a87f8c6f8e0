"""The list of audits: its table, its filter, its views, and the words about it. Begin with `audits_head`."""
