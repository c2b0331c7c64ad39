"""Outcome of an audit: the verdict, and everything that its report keeps."""
