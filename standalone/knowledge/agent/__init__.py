"""Agent knowledge bases as Dify 1.16 to 1.18 serves them (KnowledgeFS), over the documents of the datasets."""
