"""The form: fields and grids bound to the paths of a draft, and suggestions below them. Begin with `entry_form`."""
