"""The scenes of the practice photos, a module for each kind. Imported by `photos.painter` alone."""
