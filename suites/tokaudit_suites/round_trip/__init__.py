"""Round trip: what a text loses on its way through ids and back."""
