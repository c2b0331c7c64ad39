"""Contents of published tokenizers: tokens of roles and prompts, rank files, look-alikes."""
