"""A suite run as its page says it: sentences, tables, charts, files."""
