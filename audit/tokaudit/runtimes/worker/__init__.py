"""The worker: everything that executes material of a subject runs in a process of its own."""
