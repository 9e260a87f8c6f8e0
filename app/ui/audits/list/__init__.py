"""The list of audits: its table, its filter and its views. Begin with `audits_head`."""
