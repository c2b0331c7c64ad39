"""What is found out about whole conversations: the laws they keep, and what injected words do."""
