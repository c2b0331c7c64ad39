"""What a worker gives up before it reads anything of a subject: memory, processes, files, calls."""
