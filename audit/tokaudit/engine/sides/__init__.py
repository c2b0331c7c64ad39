"""The two sides of a comparison, and texts that are tried on both; no facet is known here."""
