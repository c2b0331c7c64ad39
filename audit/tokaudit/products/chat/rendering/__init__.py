"""Find, check and render chat templates, the last in a worker."""
