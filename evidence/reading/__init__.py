"""Reading what is stored: lists are cheap where retrieves are dear, so documents are read once and kept."""
