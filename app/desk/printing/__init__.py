"""What goes onto paper: where everything stands, in millimetres, as plain data. Painting it is the window's."""
