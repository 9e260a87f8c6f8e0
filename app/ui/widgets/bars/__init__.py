"""Bars that say something and move nothing when they come or go. Begin with `message_bar`."""
