"""The vocabulary: ids, bytes, and the components that must fit them."""
