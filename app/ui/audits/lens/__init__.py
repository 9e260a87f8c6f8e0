"""The question lens: one question's answers over facilities and dates. Begin with `question_lens`."""
