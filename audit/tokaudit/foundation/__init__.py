"""What every room is built on: errors, deadlines, leftovers, and how everything plugs in."""
