"""The names of the studies that the campaigns run, known without Django."""

SMALL, LARGE, MANY = "small", "demo", "many"
LARGE_ARMS = ["original", "human", "recorded", "prompt"]
