"""Paints laid out pages as a picture, a PDF or on a printer, and the panel that offers this.

Begin with `open_panel`, the only module that pages import. `printing_words` holds the sentences.
"""
