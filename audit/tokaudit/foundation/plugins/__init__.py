"""The mechanism of plug-ins: who declares packages, what they hold, and their lists of checks."""
