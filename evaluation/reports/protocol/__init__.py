"""What a Protocol says and can show, in sentences."""
