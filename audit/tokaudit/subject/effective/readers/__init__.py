"""What the readers other than transformers take of a folder, a module each."""
