"""Where two encoders differ: the texts they are asked, and the minimal one that shows it."""
