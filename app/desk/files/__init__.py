"""Files that are made for a person: long work beside the window, whole files, photos and documents as files.

Begin with `stoppable_work`. Imported by export, report and printing.
"""
