"""A real window process against a real practice process, worked as a person with a screen reader works it."""
