"""A finished run as files, and their verification."""
