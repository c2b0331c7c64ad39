"""Confinement of a worker before it reads a subject: memory, files, system calls."""
