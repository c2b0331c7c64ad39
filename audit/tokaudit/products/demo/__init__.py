"""`tokaudit demo`: three small checkpoints with audits, as a first example."""
