"""What is counted of ids without decoding any."""
