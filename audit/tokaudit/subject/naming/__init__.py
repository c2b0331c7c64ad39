"""What names a subject: the path that a name stands for, and what was probably meant by another."""
