"""Guidelines on a page: Markdown shown safely, and the aside that stands beside the work."""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from annotation.guidelines import rendered, topics_of_work
from annotation.models import Guideline, Project

register = template.Library()


@register.filter
def markdown(text: str, under: int = 2) -> SafeString:
    """Show Markdown without any markup of its author's; its headings go under level `under`."""
    return rendered(text, under)


@register.inclusion_tag("annotation/_guidelines.html")
def guidelines_beside(project: Project, kind_name: str) -> dict[str, Any]:
    """The guidelines that belong beside one kind of work, in one query.

    `{% load guidelines %}{% guidelines_beside project "sheet" %}`. A click on an element with
    `data-open-topic="time"`, or an event `open-topic` with `{topic: "time"}` as its detail, opens
    that topic.
    """
    topics = topics_of_work(kind_name)
    names = [topic.name for topic in topics]
    newest = Guideline.objects.current(project).filter(topic__in=names).exclude(text="")
    texts = {
        topic: (text, version)
        for topic, text, version in newest.values_list("topic", "text", "version")
    }
    sections = [
        {"topic": topic, "text": texts[topic.name][0], "version": texts[topic.name][1]}
        for topic in topics
        if topic.name in texts
    ]
    return {"project": project, "sections": sections, "open_topics": ("", kind_name)}
