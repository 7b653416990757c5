"""A request that notes which parameters of its query and which of its headers are looked up: an
answer cannot depend on what nobody looked at.
"""

from collections.abc import Iterator
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import QueryDict
from django.http.request import HttpHeaders

EVERYTHING = "*"


class _Watched(QueryDict):
    """A query string that writes down which parameters are looked up; whoever walks over it or asks
    whether it is empty looks at everything.
    """

    def __init__(
        self,
        text: str = "",
        mutable: bool = False,
        encoding: str | None = None,
        looked_up: set[str] | None = None,
    ) -> None:
        self._looked_up = set[str]()  # what the parsing itself looks at counts for nothing
        super().__init__(text, mutable=mutable, encoding=encoding)
        self._looked_up = set() if looked_up is None else looked_up

    def __getitem__(self, key: str) -> Any:
        self._looked_up.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._looked_up.add(str(key))
        return super().__contains__(key)

    def _getlist(self, key: str, *args: Any, **kwargs: Any) -> Any:
        self._looked_up.add(key)
        return super()._getlist(key, *args, **kwargs)  # type: ignore[misc] # Django's own

    def __iter__(self) -> Iterator[str]:
        self._looked_up.add(EVERYTHING)
        return super().__iter__()

    def __len__(self) -> int:
        self._looked_up.add(EVERYTHING)
        return super().__len__()

    def keys(self) -> Any:
        self._looked_up.add(EVERYTHING)
        return super().keys()

    def lists(self) -> Any:
        self._looked_up.add(EVERYTHING)
        return super().lists()


class _WatchedMeta(dict[str, Any]):
    """The environment of a request, which writes down the headers that are looked up."""

    def __init__(self, environ: dict[str, Any], looked_up: set[str]) -> None:
        super().__init__(environ)
        self._looked_up = looked_up

    def __getitem__(self, key: str) -> Any:
        self._looked_up.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._looked_up.add(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._looked_up.add(key)
        return super().get(key, default)


class _WatchedHeaders(HttpHeaders):
    def __init__(self, environ: dict[str, Any], looked_up: set[str]) -> None:
        super().__init__(environ)
        self._looked_up = looked_up

    def __getitem__(self, key: str) -> str:
        self._looked_up.add(header(key))
        return super().__getitem__(key)


def header(name: str) -> str:
    """A header's name as it is noted."""
    return f"HTTP_{name.upper().replace('-', '_')}"


class WatchedRequest(WSGIRequest):
    """`looked_up` has the parameters of the query and the headers that anything asked for."""

    def __init__(self, environ: dict[str, Any]) -> None:
        self.looked_up: set[str] = set()
        super().__init__(environ)
        self.META = _WatchedMeta(environ, self.looked_up)

    @property
    def headers(self) -> HttpHeaders:
        found: HttpHeaders | None = self.__dict__.get("_headers")
        if found is None:
            found = self.__dict__["_headers"] = _WatchedHeaders(self.environ, self.looked_up)
        return found

    @property
    def GET(self) -> QueryDict:  # type: ignore[override] # noqa: N802 Django's name
        found: QueryDict | None = self.__dict__.get("_watched")
        if found is None:
            text = self.environ.get("QUERY_STRING", "")
            found = _Watched(text, encoding=self.encoding, looked_up=self.looked_up)
            self.__dict__["_watched"] = found
        return found

    def get_full_path(self, force_append_slash: bool = False) -> str:
        self.looked_up.add(EVERYTHING)
        return super().get_full_path(force_append_slash)
