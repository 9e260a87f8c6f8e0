"""Widgets that know no page: each takes data in and emits signals. Their sentences stand in `widget_words`.

bars/      message bars        choosing/  chips and offers      files/  asking for files, progress
grid/      editable rows       lists/     tables and lists      text/   labels, times, key names
records/   rows of any shape
"""
