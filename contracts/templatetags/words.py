"""Text on a page that must be exactly the stored text, because offsets are counted in it."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from annotation.templatetags.controls import seen

register = template.Library()


@register.filter
def exact(text: str) -> SafeString:
    """Escape the text so that the browser's parser keeps its carriage returns, which it else
    drops.
    """
    return format_html_join(mark_safe("&#13;"), "{}", ((seen(part),) for part in text.split("\r")))
