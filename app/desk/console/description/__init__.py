"""The provider's machine-readable description (OpenAPI 2, 3.0 and 3.1): fetched, kept, and read into shapes.

Begin with `read_description`. Nothing in a description is trusted: reading takes bounded time and memory, and what
cannot be read becomes a note and a shape of any kind.
"""
