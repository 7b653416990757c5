"""The Celery application: every task is found by its explicit name, every setting is in
config.settings.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("intact", task_cls="annotation.queue:Hint")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    ["annotation", "contracts", "evaluation.runs", "evaluation.suites", "evaluation.varying"]
)
