"""The two sides of a comparison, and texts to try on both, independent of facets."""
