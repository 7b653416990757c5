"""Blindness that can be proved: two worlds that differ in hidden facts alone must answer alike.

`routes` says what to call, `asking` calls it and takes down the whole answer, `comparing` masks
what differs between any two answers and says what else does, `facts` says what is hidden and how to
alter it, `probe` puts them together. Nothing that the probe does stays: every call is rolled back.
"""
