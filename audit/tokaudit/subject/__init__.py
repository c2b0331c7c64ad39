"""What is audited: a checkpoint's files, the facts that they state, its weights and tokenizers."""
