"""The confinement of a worker before it reads anything of a subject: memory, files, calls."""
