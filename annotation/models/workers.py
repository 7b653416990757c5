from datetime import datetime

from django.db import models


class HeartbeatQuerySet(models.QuerySet["Heartbeat"]):
    def newest_at(self) -> datetime | None:
        at: datetime | None = self.aggregate(newest=models.Max("at"))["newest"]
        return at


class Heartbeat(models.Model):
    """When a process of a worker last took something from the queue, by the database's clock."""

    worker = models.CharField(max_length=80, unique=True)  # as in annotation.processes
    at = models.DateTimeField()

    objects = HeartbeatQuerySet.as_manager()

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.worker} at {self.at:%Y-%m-%d %H:%M:%S}"
