"""The worker: a separate process for everything that executes a subject's material."""
