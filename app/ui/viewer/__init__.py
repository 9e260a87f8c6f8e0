"""The photo viewer: one, two or four photos side by side that move together, with a film strip below.

Begin with `photo_viewer`. It takes photos and emits what a person did; it decodes and saves nothing. Imported by the
audits page; the documents of an order use its panes and tools.

    photo_viewer     all of it together
    photo_pane       one photo with mouse and keys, on top of painted_photo, which paints it
    look             zoom, place and light of a photo, as arithmetic on plain numbers
    visible_regions  which region of a photo is decoded
    photo_painting   paints a photo, its light, the loupe and the navigator
    photo_marks      paints marks, and turns them with the photo
    mark_text        the line in which the text of a mark is typed
    film_strip       the thumbnails
    viewer_tools     the row of tools and the sliders
    photo_facts      the two lines below the photo
    viewer_words     the sentences
"""
