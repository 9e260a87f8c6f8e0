"""What runs in the child alone: the decoders, and what is given up before they see a picture."""
