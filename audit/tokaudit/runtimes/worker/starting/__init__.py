"""Start of a worker: its command, its interpreter, its folder and its environment."""
