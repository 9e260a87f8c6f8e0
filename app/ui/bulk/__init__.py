"""The Import page: a file of orders becomes rows to look at, to correct and to send. Begin with `bulk_page`.

mapping/  which column is which field   sheet/  the grid over the file   sending/  imports under way, cancelling by file
"""
