"""Files that a worker cannot open: `channel` requests them, `server` hands them over."""
