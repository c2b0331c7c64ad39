"""Settings next to the tokenizer, each compared with what the tokenizer's own files do."""
