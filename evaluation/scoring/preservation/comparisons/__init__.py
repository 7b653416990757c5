"""What is compared, and in which direction."""
