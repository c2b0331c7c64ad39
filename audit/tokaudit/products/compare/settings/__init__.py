"""Settings next to two tokenizers that loaders use."""
