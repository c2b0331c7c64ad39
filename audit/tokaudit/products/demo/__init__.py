"""`tokaudit demo`: three small checkpoints, audited, so that the first minute shows something."""
