"""Documents that are drawn, decoded and encoded again."""
