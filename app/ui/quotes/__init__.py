"""The pages of quotes and trucks: filled in by a form, begun from templates, sent once. Begin with `request_page`."""
