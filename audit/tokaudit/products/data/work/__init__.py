"""Ids on disk and the tokenizer that is to have written them, as checks see them."""
