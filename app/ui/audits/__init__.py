"""The audits page: the list with its plot, one audit opened, the question lens, reports. Begin with `audits_page`."""
