"""Subject of an audit: a checkpoint's files, their facts, its weights and tokenizers."""
