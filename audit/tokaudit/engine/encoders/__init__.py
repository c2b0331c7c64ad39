"""Which texts wear an encoder out: those that are long, lost, or kill its process."""
