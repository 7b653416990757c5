"""The parts that an arm can be made of, in words."""
