"""The contents of an answer as a tree, as tables and as text; searched, compared and saved.

Begin with `answer_body`. Pure functions over an answer's bytes: no Qt, no network.
"""
