"""The form: fields and grids bound to the paths of a draft, and what is offered in them. Begin with `entry_form`."""
