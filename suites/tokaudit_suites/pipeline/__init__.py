"""The pipeline: normalizer, pre-tokenizer and decoder fit the vocabulary."""
