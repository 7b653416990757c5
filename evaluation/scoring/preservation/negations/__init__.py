"""What denies or excludes, and what turns that round."""
