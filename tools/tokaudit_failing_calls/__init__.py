"""Lets calls of the system fail one by one, and says how each command ends (`make failing-calls`).

As SQLite's tests do it: a call fails at its first, second, third ... time, and every run must end
with a documented exit code and one line, with nothing half-written and nothing left behind.
"""
