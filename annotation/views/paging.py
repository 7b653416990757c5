from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

ON_A_PAGE = 50


def page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """Return the page that `?page=` asks for; a page that does not exist is the nearest one that
    does.
    """
    return Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))
