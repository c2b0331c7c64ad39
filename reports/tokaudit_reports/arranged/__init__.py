"""What a report holds, put in order and into words for every format."""
