"""Which column of the file is which field of an order: the panels that change it. Begin with `mapping_tools`."""
