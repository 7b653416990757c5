import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["INTACT_WEB"] = "1"

application = get_wsgi_application()

# What is loaded by now lives as long as the process: collections need not walk it.
gc.collect()
gc.freeze()
