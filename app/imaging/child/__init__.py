"""The decoders, and the rights that the child gives up before it sees a picture. Imported by the child alone."""
