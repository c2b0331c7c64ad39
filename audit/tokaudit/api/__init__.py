"""The functions that users call; `import tokaudit` has them all."""
