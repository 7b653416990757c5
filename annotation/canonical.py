"""One way to turn a value into bytes, so that equal content has equal hashes everywhere."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, no blanks and no NaN; the text that every content hash is
    taken over.
    """
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def content_hash(value: Any) -> str:
    """Return the SHA-256 (64 hex digits) of the canonical JSON of `value`, encoded as UTF-8."""
    return hashlib.sha256(canonical_json(value).encode("utf-8")).hexdigest()
