"""Signed links to quotes, and the page that shows what stands behind one now."""
