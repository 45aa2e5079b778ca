"""A question and its answer as one page: served to try the plugin, or written to one file."""
