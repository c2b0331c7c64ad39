"""The engine: checks, what they need, how they are run, and the verdict over their results."""
