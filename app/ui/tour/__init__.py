"""First minutes: a short tour in practice, made of real tasks. Begin with `tour`.

    tour_tasks   the tasks, and how it is told that one has really happened
    tour         which task is under way; offered once, left and taken up again at any time
    tour_panel   the strip below the pages that says the task
    tour_words   its sentences

Imported by `ui/shell`, after the first paint.
"""
