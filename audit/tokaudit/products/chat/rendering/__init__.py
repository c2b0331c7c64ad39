"""Chat templates: found, read, checked before they run, and rendered in a worker."""
