"""What every page stands on: the page class, its message bar's troubles, the gallery of pictures, the main window.

Imports widgets and theme; knows no page.
"""
