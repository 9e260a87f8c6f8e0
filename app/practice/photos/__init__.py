"""Paints the photos and documents of the practice world.

`painter` is the only door: a kind of photo and a seed in, JPEG bytes out; `document_files` draws the papers. `drawing`
holds canvas, camera and light; `scenes` holds what is to be seen.
"""
