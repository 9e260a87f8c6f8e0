"""Shapes of records, the values that are typed into them, and JSON in which nothing is lost.

Begin with `shapes`. Knows neither the provider's description nor a call; imported by the rest of the console and by the
pages that show a form.
"""
