"""Token ids on disk: reading, counting, checking and stamping."""
