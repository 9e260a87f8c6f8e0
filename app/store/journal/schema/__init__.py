"""The journal's tables, and the digest over each write by which damage is found."""
