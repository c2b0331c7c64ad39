"""The base of every room: errors, deadlines, leftovers, and how everything plugs in."""
