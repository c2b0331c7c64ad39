"""Train a tokenizer on a corpus, and write it as a folder that loaders accept."""
