"""Printers: the system's commands, or Qt in a process of its own. Begin with `devices`."""
