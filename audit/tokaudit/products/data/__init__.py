"""Token ids on disk: read, counted, judged, stamped."""
