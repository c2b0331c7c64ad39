"""The memory and the processors of the machine, and what the workers of an audit take of them."""
