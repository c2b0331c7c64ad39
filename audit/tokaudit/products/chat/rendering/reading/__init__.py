"""What the syntax tree of a template shows; none of it is run."""
