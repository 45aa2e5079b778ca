"""What was read of the documents, and how old it is: fetching, prefetching, reading again."""
