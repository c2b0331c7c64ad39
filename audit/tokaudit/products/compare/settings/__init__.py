"""The settings next to two tokenizers that loaders act on."""
