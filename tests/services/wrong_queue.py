"""The product's settings with one that a worker must refuse."""

from config.settings import *  # noqa: F403

CELERY_TASK_ACKS_LATE = False
