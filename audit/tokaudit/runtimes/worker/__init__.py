"""The worker: everything that executes material of a subject runs in its own process."""
