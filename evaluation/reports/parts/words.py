"""Parameters of parts in words, for pages: values, differences from the defaults, facts frozen."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evaluation.parameters import Setting, settings_of
from evaluation.registry import Part, PartError, Registry


@dataclasses.dataclass(frozen=True, slots=True)
class SettingFact:
    """One parameter as it was frozen: its value, its default if that is another, its meaning."""

    name: str
    value: str
    default: str
    meaning: str


@dataclasses.dataclass(frozen=True, slots=True)
class PartFact:
    """One frozen part: its name and version, every parameter, the prompts that it sends."""

    label: str
    anchor: str
    name: str
    version: str
    settings: tuple[SettingFact, ...]
    prompts: tuple[tuple[str, str], ...]


def coded(text: str) -> SafeString:
    """Return a docstring's text with what stands between backticks as code, escaped."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:  # an odd number of backticks marks nothing
        return format_html("{}", text)
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>", p) if n % 2 else p,) for n, p in enumerate(pieces)),
    )


def in_words(value: Any) -> str:
    """Return a parameter's value as a page says it."""
    if value is None or value is dataclasses.MISSING:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return ", ".join(in_words(one) for one in value) or _("none")
    if value == "":
        return _("empty")
    return str(value)


def differences_in_words(registry: Registry[Any], name: str, given: Mapping[str, Any]) -> str:
    """Return what differs from the defaults of a part, or that nothing does."""
    defaults = {setting.name: setting.default for setting in _settings(registry, name)}
    told = [
        _("%(name)s = %(value)s instead of %(default)s")
        % {
            "name": key,
            "value": in_words(value),
            "default": in_words(defaults.get(key, dataclasses.MISSING)),
        }
        for key, value in given.items()
    ]
    return "; ".join(told) or _("every parameter at its default")


def part_fact(label: str, registry: Registry[Any], frozen: Mapping[str, Any]) -> PartFact:
    """Return a part of frozen Conditions. It need not be here any more: then its meanings lack."""
    known = {setting.name: setting for setting in _settings(registry, frozen["name"])}
    prompts = frozen.get("prompts") or {}
    return PartFact(
        label,
        f"{registry.slug}-{frozen['name']}",
        frozen["name"],
        str(frozen.get("version", "")),
        tuple(
            _fact(name, value, known.get(name))
            for name, value in (frozen.get("parameters") or {}).items()
        ),
        tuple((name, prompt["text"]) for name, prompt in prompts.items()),
    )


def _fact(name: str, value: Any, setting: Setting | None) -> SettingFact:
    plain = list(setting.default) if setting and isinstance(setting.default, tuple) else None
    default = plain if plain is not None else (setting.default if setting else value)
    told = "" if default == value or default is dataclasses.MISSING else in_words(default)
    meaning = setting.meaning if setting else ""
    return SettingFact(name, in_words(value), told, meaning[:1].upper() + meaning[1:])


def _settings(registry: Registry[Any], name: str) -> tuple[Setting, ...]:
    try:
        part: type[Part] = registry.find(name)
    except PartError:
        return ()
    return settings_of(part.Parameters)
