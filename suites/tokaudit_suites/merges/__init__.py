"""The merges: every part exists, once, in an order that a trainer could have learned."""
