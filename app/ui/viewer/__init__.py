"""Photos as fast as the eye: one, two or four side by side, moving together, with a film strip below.

    look      how photos are looked at (zoom, place, light), and the arithmetic of it
    marks     what is drawn on a photo: painted, and turned with it
    pane      one photo
    strip     the film strip
    viewer    all of it together, with its tools

It takes photos in and tells what a person did. It decodes and keeps nothing.
"""
