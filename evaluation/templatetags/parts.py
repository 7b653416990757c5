"""Docstrings of parts on a page: what stands between backticks is code."""

from django import template
from django.utils.safestring import SafeString

from evaluation.reports.parts import words as part_words

register = template.Library()


@register.filter
def coded(text: str) -> SafeString:
    return part_words.coded(text)
