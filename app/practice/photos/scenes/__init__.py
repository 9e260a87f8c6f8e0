"""What the practice photos show: a module for each kind of scene. Imported by `photos.painter` alone."""
