"""How a worker is started: its command, its interpreter, its folder and its environment."""
