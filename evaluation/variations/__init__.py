from evaluation.variations.base import (
    VARIATIONS,
    Check,
    Maker,
    Rejected,
    Source,
    Variant,
    build_maker,
    variation_names,
)

__all__ = [
    "VARIATIONS",
    "Check",
    "Maker",
    "Rejected",
    "Source",
    "Variant",
    "build_maker",
    "variation_names",
]
