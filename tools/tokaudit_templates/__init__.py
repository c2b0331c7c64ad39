"""Chat templates that packages publish: what checks and laws say of them, and why it is true."""
