"""Settings of the API functions, and validation of names."""
