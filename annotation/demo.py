"""The demo's invented people with their roles: they exist, and can be logged in with one click,
only where DEMO is set.
"""

PERSONAS: dict[str, tuple[str, ...]] = {
    "owner": ("owner",),
    "annotator-a": ("annotator",),
    "annotator-b": ("annotator",),
    "writer": ("annotator",),
    "adjudicator": ("adjudicator",),
    "engineer": ("engineer",),
}
