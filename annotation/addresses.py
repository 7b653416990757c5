"""Ids in addresses. An id may hold any visible character, an address may not."""

from urllib.parse import unquote


class KeyConverter:
    """One path segment that carries an id: a slash, a percent sign, `.` and `..` are escaped
    inside it.

    `/requests/a%252Fb/` is the request `a/b`; a server decodes the address once, this converter
    the second time.
    """

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        key = unquote(value)
        if "\x00" in key:
            raise ValueError("An id holds no NUL.")  # Django then finds no page
        return key

    def to_url(self, value: str) -> str:
        escaped = value.replace("%", "%25").replace("/", "%2F")
        return escaped.replace(".", "%2E") if set(escaped) == {"."} else escaped
