"""Live checks of a rewording while it is written: plain values in, warnings out, no Django.

Each check is a small function in a file of its own; `check_rewrite` asks them all.
"""

from annotation.checks.registry import CODES, check_rewrite
from annotation.checks.written import Demand, OwnText, RewriteWarning, Written

__all__ = ["CODES", "Demand", "OwnText", "RewriteWarning", "Written", "check_rewrite"]
