"""Chat templates and conversations: rendered, checked and shown."""
