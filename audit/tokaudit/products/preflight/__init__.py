"""A tokenizer, the model and the first batch, judged in the process that is about to train."""
