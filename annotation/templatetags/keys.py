"""The keys of the desk on a page: each is written once, in annotation/keys.py, and everybody may
choose their own.
"""

from typing import Any

from django import template
from django.utils.crypto import salted_hmac

from annotation import keys
from annotation.models import Seat
from annotation.services import drafts

register = template.Library()


@register.simple_tag(takes_context=True)
def key(context: dict[str, Any], act: str) -> str:
    """The reader's key of an act: `data-shortcut="{% key 'later' %}"`."""
    return _own(context)[act]


@register.simple_tag(takes_context=True)
def acts_and_keys(context: dict[str, Any], work: str = "") -> list[tuple[keys.Act, str]]:
    """The acts that a kind of work has, each with the reader's key."""
    own = _own(context)
    acts = (act for act in keys.ACTS.values() if not act.work or work in act.work)
    return [(act, own[act.name]) for act in acts]


@register.simple_tag(takes_context=True)
def account_mark(context: dict[str, Any]) -> str:
    """A name for the reader's account that tells nothing about it: what the browser keeps of
    unsaved work is filed under it, so that another account on the same browser is never shown it.
    """
    return salted_hmac("unsaved work of", str(context["request"].user.pk)).hexdigest()[:32]


@register.simple_tag
def draft_steps(seat: Seat) -> drafts.Steps:
    """Whether undo and redo lead anywhere."""
    return drafts.steps(seat)


def _own(context: dict[str, Any]) -> dict[str, str]:
    return keys.keys_of(context["request"].user.preferences.get("keys"))
