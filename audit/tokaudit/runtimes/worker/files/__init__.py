"""Files that a worker cannot open: it asks by `channel`, its parent hands them over by `server`."""
