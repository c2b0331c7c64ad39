"""What an audit comes to: the verdict, and everything that its report keeps."""
