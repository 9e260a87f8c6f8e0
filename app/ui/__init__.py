"""What people see: the main window, its pages and their widgets."""
