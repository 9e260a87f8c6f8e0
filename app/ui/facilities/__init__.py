"""The facilities page: facilities and other reference data of the provider, looked up and kept with their age.

Begin with `facilities_page`.
"""
