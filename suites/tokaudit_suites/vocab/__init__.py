"""The vocabulary: ids, bytes, and entries that can be made and learned."""
