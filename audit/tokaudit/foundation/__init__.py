"""Base of all rooms: errors, deadlines, leftovers, plug-ins and settings."""
