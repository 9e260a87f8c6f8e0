"""The loads page: what is over on a load, beside this desk's orders that named it. Begin with `loads_page`."""
