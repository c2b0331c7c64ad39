"""Agreement: of copies in one folder, of reference and upstream library, of two encoders."""
