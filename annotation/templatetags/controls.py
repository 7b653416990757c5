"""Letters that turn the direction of the words around them are shown, and turn nothing.

They come with pasted text and can make it read as something else (U+202E before a number, say).
The marks of a single word's direction (U+200E, U+200F, U+061C) do no harm and stay as they are.
"""

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")


@register.filter
def seen(text: str) -> SafeString:
    """Escape the text and set each such letter apart: the page names it, and its effect ends with
    it. The text on the page stays the stored text, letter by letter.
    """
    return mark_safe(_TURNS.sub(_apart, conditional_escape(text)))  # noqa: S308 escaped just before


def _apart(found: re.Match[str]) -> str:
    letter = found[0]
    return f'<span class="turns" data-name="U+{ord(letter):04X}">{letter}</span>'
