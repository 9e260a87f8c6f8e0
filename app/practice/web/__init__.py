"""How the practice service speaks HTTP: routing, tokens, content types, problem records, faults."""
