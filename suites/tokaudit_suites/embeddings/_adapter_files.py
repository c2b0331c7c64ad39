"""Files of an adapter, and the keys that name its saved rows."""

SETTINGS, WEIGHTS = "adapter_config.json", "adapter_model"
WHOLE, ROWS = "modules_to_save", "trainable_token_indices"
CHANGED, TIES = "target_modules", "ensure_weight_tying"
DELTA = "trainable_tokens_delta"
NEW_ROWS, NEW_INPUTS = "new_embeddings.safetensors", "input_embeddings"
NEW_OUTPUTS = "output_embeddings"
"""A file of its own with the rows of added tokens, which follow those of the base."""
