"""Chat templates: rendered over the role matrix, encoded, and judged."""
