"""The difference between two reports: what is new, worse or gone."""
