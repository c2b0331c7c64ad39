"""What people run: a room for each product, over the core."""
