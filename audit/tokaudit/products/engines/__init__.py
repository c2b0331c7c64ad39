"""Other projects' runtimes and engines: comparison with a tokenizer, and test vectors."""
