"""The forms in which a row may hold a conversation, one file each."""
