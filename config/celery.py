"""The Celery application: every task is found by its explicit name, every setting is in
config.settings.
"""

import os
from pathlib import Path

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("intact")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["evaluation.runs"])

for folder in ("data_folder_in", "data_folder_out", "control_folder"):
    path = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get(folder)
    if path:
        Path(path).mkdir(parents=True, exist_ok=True)
