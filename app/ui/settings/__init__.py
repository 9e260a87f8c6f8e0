"""The settings page: connections, appearance, the journal's safety. Begin with `settings_page`."""
