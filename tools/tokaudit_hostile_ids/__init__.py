"""Files of ids that lie about their lengths or unpack to far more than they are."""
