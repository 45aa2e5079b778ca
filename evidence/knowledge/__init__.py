"""The servers that hold the documents, behind one port."""
