"""Chat templates and conversations: rendered, judged and drawn."""
