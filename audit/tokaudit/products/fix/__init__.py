"""`tokaudit fix`: apply the repairs of findings to a copy, and audit it again."""
