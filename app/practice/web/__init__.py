"""The practice service's HTTP: routing, tokens, content types, problem records, faults. Begin reading at `dispatch`."""
