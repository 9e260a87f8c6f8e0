"""The page "New order": the form, scanning, drafts side by side, and the way to the outbox. Begin with `entry_page`."""
