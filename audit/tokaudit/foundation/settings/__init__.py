"""Settings as fields of classes, from which options, keywords and keys are derived."""
