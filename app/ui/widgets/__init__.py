"""Widgets that know no page. Each takes data in and emits signals.

bars/      message bars        choosing/  chips and offers      files/  asking for files, progress
grid/      editable rows       lists/     tables and lists      text/   labels, times, key names
"""
