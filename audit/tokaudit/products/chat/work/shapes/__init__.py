"""Faults of templates over the grammar of clients' conversations, and their causes."""
