"""Byte-pair encoding in all its kinds: the textbook's merge, the fast ways, scores as ranks."""
