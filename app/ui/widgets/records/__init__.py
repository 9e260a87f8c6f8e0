"""Records of any shape as a table on screen: sorted, searched, copied, exported. Begin with `records_view`."""
