"""The index: what was read of knowledge bases, kept beyond a process, in memory's place."""
