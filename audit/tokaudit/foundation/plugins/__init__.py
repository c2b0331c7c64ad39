"""How everything plugs in: who declares packages, what they hold, and their lists of checks."""
