from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from annotation.services.heartbeats import seconds_since_heartbeat


@login_not_required
def healthz(request: HttpRequest) -> JsonResponse:
    """Say whether this process answers and whether it reaches its database, and how long ago a
    worker took something from the queue: null if none did or the queue is a folder.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"web": "ok", "database": "unreachable"}, status=503)
    return JsonResponse({"web": "ok", "database": "ok", "worker_took_seconds_ago": _worker()})


def _worker() -> int | None:
    """Told only: the web is well without a worker, and before its table is there."""
    try:
        seconds = seconds_since_heartbeat()
    except DatabaseError:
        return None
    return None if seconds is None else round(seconds)
