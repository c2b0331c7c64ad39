"""Work on ids in a worker: counting pieces, and encoding sampled documents again."""
