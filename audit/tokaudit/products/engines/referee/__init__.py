"""Referees a runtime: where it gives other ids than its file says, why, and on which text."""
