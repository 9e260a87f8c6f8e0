"""Photos as fast as the eye: one, two or four side by side, moving together, with a film strip below.

    look      how photos are looked at (zoom, place, light), and the arithmetic of it
    marks     what is drawn on a photo: painted, and turned with it
    sights    which part of a photo is decoded, so that what is in sight is sharp
    light     brightness and contrast, by the painter's own arithmetic; light_bar, its sliders
    painting  how a photo gets onto the screen
    painted   one photo, painted
    pane      one photo under the hand
    words     the line in which words for a photo are typed
    strip     the film strip
    tools     the row of tools
    facts     what stands below the photo
    viewer    all of it together

It takes photos in and tells what a person did. It decodes and keeps nothing.
"""
