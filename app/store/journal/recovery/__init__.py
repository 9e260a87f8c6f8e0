"""What keeps the journal safe: opened with a check, copied as it is written, repaired, backed up, shortened.

Begin with `journal_file`: the journal as the program opens it.
"""
