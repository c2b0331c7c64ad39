"""What the tokenizer classes of transformers do to files and ids, as one table with its sources."""
