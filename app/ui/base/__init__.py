"""The base of the pages: the page class, the main window, the gallery of pictures, deferred imports.

Imports widgets and theme; knows no page. Begin with `page`.
"""
