"""The contents of a report, put in order and into words for every format."""
