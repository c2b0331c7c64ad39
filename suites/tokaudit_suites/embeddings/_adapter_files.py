"""The files of an adapter, and the keys that name the rows it saves."""

SETTINGS, WEIGHTS = "adapter_config.json", "adapter_model"
WHOLE, ROWS = "modules_to_save", "trainable_token_indices"
DELTA = "trainable_tokens_delta"
