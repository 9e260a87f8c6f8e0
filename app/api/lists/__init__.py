"""Lists of the provider, read element by element while they arrive, so that a long one is never held whole.

Begin with `stream`. `array` cuts a JSON array into its elements, `xml_list` an XML one. Used by `api` alone.
"""
