"""The question lens: the answers to one question across audits. Begin with `question_lens`."""
