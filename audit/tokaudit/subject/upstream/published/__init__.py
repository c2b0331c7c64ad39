"""What published tokenizers have: the tokens of roles and prompts, rank files, look-alikes."""
