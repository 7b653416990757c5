"""Every address of the API, from the URL resolver itself."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

Route = tuple[str, URLPattern]


def api_routes() -> dict[str, URLPattern]:
    """Each pattern below /api/ by its name."""
    found = {}
    for prefix, pattern in _walk(get_resolver().url_patterns, ""):
        if prefix.startswith("api/") or prefix.startswith("^api/"):
            assert pattern.name, f"{prefix} has no name"
            found[pattern.name] = pattern
    return found


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[Route]:
    for pattern in patterns:
        whole = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, whole)
        else:
            yield whole, pattern
