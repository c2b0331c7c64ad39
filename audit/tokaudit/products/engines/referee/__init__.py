"""Judge a runtime: where its ids differ from its file, why, and on which text."""
