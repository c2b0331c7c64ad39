"""The baseline: what changed since the base model."""
