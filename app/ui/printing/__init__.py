"""From a laid out page to a picture, a PDF or a printer, and the panel that offers it."""
