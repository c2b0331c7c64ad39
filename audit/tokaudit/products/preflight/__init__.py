"""Check tokenizer, model and first batch in the process that is about to train."""
